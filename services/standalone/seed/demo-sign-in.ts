import { hkdfSync } from "node:crypto";
import { verifyPassword } from "better-auth/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/index.ts";
import { DEMO_EMAIL } from "../../management/people/sign-up.ts";

/** What the demo's publisher signs in with. */
export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
}

/** Without what is easily taken for something else: i, l, o and u. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 16;

/**
 * The demo's sign-in. Its password is the same at every start of an installation, another one in every other, and kept
 * nowhere: it is made from a secret of the installation, of which it tells nothing.
 */
export function demoSignIn(secret: string): DemoSignIn {
  const bytes = new Uint8Array(hkdfSync("sha256", secret, "", "placard demo password", LENGTH));
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]);
  return { email: DEMO_EMAIL, password: letters.join("").replace(/.{4}(?=.)/g, "$&-") };
}

/** Whether somebody can sign in with it still: the password may have been changed, and the person be gone. */
export async function isStillGood(db: Kysely<Tables>, { email, password }: DemoSignIn): Promise<boolean> {
  const row = await db
    .selectFrom("credentials")
    .innerJoin("people", "people.id", "credentials.person_id")
    .where("people.email", "=", email)
    .where("credentials.provider_id", "=", "credential")
    .select("credentials.password")
    .executeTakeFirst();
  const hash = row?.password ?? null;
  return hash !== null && (await verifyPassword({ hash, password }));
}
