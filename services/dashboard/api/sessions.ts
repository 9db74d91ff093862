import { queryOptions } from "@tanstack/react-query";
import { callAuth, valueIn } from "./auth-api.ts";

/** A place where the person is signed in. */
export interface Session {
  readonly id: string;
  readonly token: string;
  readonly device: string;
  readonly createdAt: string;
  /** When it was last renewed: within a day of its last use. */
  readonly seenAt: string;
  readonly isCurrent: boolean;
}

/** Where the signed-in person is signed in: here first, then the last used. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async () => {
    const [sessions, here] = await Promise.all([
      callAuth("GET", "/list-sessions"),
      callAuth("GET", "/get-session"),
    ]);
    return readSessions(sessions, valueIn(valueIn(here, "session"), "id"));
  },
});

/** Ends one session. */
export async function endSession({ token }: Session): Promise<void> {
  await callAuth("POST", "/revoke-session", { token });
}

/** Ends all sessions but this one. */
export async function endOtherSessions(): Promise<void> {
  await callAuth("POST", "/revoke-other-sessions");
}

/** The sessions in a response of better-auth. */
export function readSessions(answer: unknown, currentId: unknown): Session[] {
  const found = Array.isArray(answer) ? answer : [];
  return found
    .flatMap((one: unknown): Session[] => {
      const [id, token, createdAt, updatedAt] = ["id", "token", "createdAt", "updatedAt"].map((key) =>
        valueIn(one, key),
      );
      if (typeof id !== "string" || typeof token !== "string") return [];
      if (typeof createdAt !== "string" || typeof updatedAt !== "string") return [];
      // The server keeps no user agent, only the device's name.
      const device = valueIn(one, "userAgent");
      return [
        {
          id,
          token,
          device: typeof device === "string" && device !== "" ? device : "Unknown device",
          createdAt,
          seenAt: updatedAt,
          isCurrent: id === currentId,
        },
      ];
    })
    .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || (a.seenAt < b.seenAt ? 1 : -1));
}
