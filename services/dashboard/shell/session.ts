import { queryOptions, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { callPeople } from "./people-api.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Whether a sign-in asks for a code beside the password. */
  readonly hasTwoFactor: boolean;
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Person | null> => readPerson(await callPeople("GET", "/get-session")),
  staleTime: ({ state }) => (state.data === null ? 0 : 60_000),
});

/** The person whose pages these are. For pages behind the sign-in alone. */
export function usePerson(): Person {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error("nobody is signed in");
  return data;
}

/** The person in an answer of better-auth; null where there is none. */
export function readPerson(answer: unknown): Person | null {
  if (typeof answer !== "object" || answer === null || !("user" in answer)) return null;
  const { user } = answer;
  if (typeof user !== "object" || user === null) return null;
  if (!("id" in user && "name" in user && "email" in user)) return null;
  const { id, name, email } = user;
  if (typeof id !== "string" || typeof name !== "string" || typeof email !== "string") return null;
  return { id, name, email, hasTwoFactor: "twoFactorEnabled" in user && user.twoFactorEnabled === true };
}

/** Takes an answer that begins a session: what was loaded for somebody else is forgotten. */
export function useBeginSession(): (answer: unknown) => void {
  const queryClient = useQueryClient();
  return (answer) => {
    queryClient.clear();
    queryClient.setQueryData(sessionQuery.queryKey, readPerson(answer));
  };
}

/** Ends the session, here and at the server, and goes to a page; the document is a new one, with nothing of it left. */
export async function signOut(to = "/sign-in"): Promise<void> {
  await callPeople("POST", "/sign-out");
  location.assign(to);
}
