import { hkdfSync } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { DEMO_EMAIL } from "#libs/domain/email-address.ts";
import type { Passwords } from "../../management/accounts/people/passwords.ts";

/** The sign-in of the demo's publisher. */
export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
}

/** Without the letters that are easily misread: i, l, o and u. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 16;

/**
 * The sign-in of the demo. Its password is derived from a secret of the installation, which it does not reveal, so it is the
 * same at every start and stored nowhere.
 */
export function demoSignIn(secret: string): DemoSignIn {
  const bytes = new Uint8Array(hkdfSync("sha256", secret, "", "placard demo password", LENGTH));
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]);
  return { email: DEMO_EMAIL, password: letters.join("").replace(/.{4}(?=.)/g, "$&-") };
}

/** Whether the sign-in still works: the publisher may have changed the password or deleted the account. */
export async function stillWorks(
  db: Kysely<Tables>,
  passwords: Pick<Passwords, "verify">,
  { email, password }: DemoSignIn,
): Promise<boolean> {
  const row = await db
    .selectFrom("credentials")
    .innerJoin("people", "people.id", "credentials.person_id")
    .where("people.email", "=", email)
    .where("credentials.provider_id", "=", "credential")
    .select("credentials.password")
    .executeTakeFirst();
  const hash = row?.password ?? null;
  return hash !== null && (await passwords.verify({ hash, password }));
}
