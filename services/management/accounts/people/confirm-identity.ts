import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Passwords } from "./passwords.ts";

/** How recently a person without a password must have signed in. */
const FRESH_FOR_MS = 10 * 60_000;

export type Confirmation = "confirmed" | "wrong-password" | "sign-in-again";

interface Claimant {
  readonly personId: string;
  /** The session that the request came with. */
  readonly sessionToken: string | null;
  readonly password: string | undefined;
  readonly now: number;
}

/** Asks for the password again, or for a fresh session where the person has no password. */
export async function confirmIdentity(
  db: Kysely<Tables>,
  verify: Passwords["verify"],
  { personId, sessionToken, password, now }: Claimant,
): Promise<Confirmation> {
  const credential = await db
    .selectFrom("credentials")
    .where("person_id", "=", personId)
    .where("password", "is not", null)
    .select("password")
    .executeTakeFirst();
  const hash = credential?.password ?? null;
  if (hash !== null) {
    const isRight = password !== undefined && (await verify({ hash, password }));
    return isRight ? "confirmed" : "wrong-password";
  }
  if (sessionToken === null) return "sign-in-again";
  const session = await db
    .selectFrom("sessions")
    .where("token", "=", sessionToken)
    .where("person_id", "=", personId)
    .select("created_at")
    .executeTakeFirst();
  const isFresh = session !== undefined && now - session.created_at.getTime() <= FRESH_FOR_MS;
  return isFresh ? "confirmed" : "sign-in-again";
}
