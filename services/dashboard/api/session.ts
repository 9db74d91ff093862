import { queryOptions, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { callAuth, valueIn } from "./auth-api.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether signing in also requires a code. */
  readonly hasTwoFactor: boolean;
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Person | null> => readPerson(await callAuth("GET", "/get-session")),
  staleTime: ({ state }) => (state.data === null ? 0 : 60_000),
});

/** The signed-in person. Only for pages behind the sign-in. */
export function usePerson(): Person {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error("nobody is signed in");
  return data;
}

/** The person in a response of better-auth; null if there is none. */
export function readPerson(answer: unknown): Person | null {
  const user = valueIn(answer, "user");
  const [id, name, email] = ["id", "name", "email"].map((key) => valueIn(user, key));
  if (typeof id !== "string" || typeof name !== "string" || typeof email !== "string") return null;
  return { id, name, email, hasTwoFactor: valueIn(user, "twoFactorEnabled") === true };
}

/** Starts a session from a response. Data loaded for another person is dropped. */
export function useBeginSession(): (answer: unknown) => void {
  const queryClient = useQueryClient();
  return (answer) => {
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, readPerson(answer));
  };
}

/** Ends the session and loads a page from the server, so that nothing of the session remains. */
export async function signOut(to = "/sign-in"): Promise<void> {
  await callAuth("POST", "/sign-out");
  location.assign(to);
}
