import type { Insertable, Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** Keeps the change until it is confirmed; it replaces the person's earlier one. */
export async function keepEmailChange(
  db: Kysely<Tables>,
  personId: string,
  change: Omit<Insertable<Tables["email_changes"]>, "person_id">,
): Promise<void> {
  await db
    .insertInto("email_changes")
    .values({ ...change, person_id: personId })
    .onConflict((conflict) => conflict.column("person_id").doUpdateSet(change))
    .execute();
}

/** Removes a person's pending change and returns its address; undefined if the token is wrong or has expired. */
export async function takeEmailChange(
  trx: Transaction<Tables>,
  { personId, tokenHash, now }: { readonly personId: string; readonly tokenHash: Buffer; readonly now: Date },
): Promise<string | undefined> {
  const taken = await trx
    .deleteFrom("email_changes")
    .where("person_id", "=", personId)
    .where("token_hash", "=", tokenHash)
    .returning(["new_email", "expires_at"])
    .executeTakeFirst();
  return taken !== undefined && taken.expires_at > now ? taken.new_email : undefined;
}

/** Invalidates the emailed links that change a person's address or password. */
export async function cancelLinks(db: Kysely<Tables>, personId: string): Promise<void> {
  await db.deleteFrom("email_changes").where("person_id", "=", personId).execute();
  await db.deleteFrom("verifications").where("value", "=", personId).execute();
}

/** Changes a person's address, and ends their other sessions and the links that were sent to the old address. */
export async function replaceEmail(
  trx: Transaction<Tables>,
  personId: string,
  { email, isVerified, keptToken }: NewEmail,
): Promise<void> {
  await trx
    .updateTable("people")
    .set({ email, email_verified: isVerified, updated_at: new Date() })
    .where("id", "=", personId)
    .execute();
  await cancelLinks(trx, personId);
  await trx
    .deleteFrom("sessions")
    .where("person_id", "=", personId)
    .where("token", "!=", keptToken)
    .execute();
}

export interface NewEmail {
  readonly email: string;
  /** Whether the person has proved that it is theirs. */
  readonly isVerified: boolean;
  /** The token of the session that stays. */
  readonly keptToken: string;
}
