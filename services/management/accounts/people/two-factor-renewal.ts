import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { KeyRing } from "#libs/installation/index.ts";
import { findPerson } from "./two-factor.ts";

/**
 * Encrypts a person's second factor under the first secret before better-auth, which knows no other, reads it. While processes with
 * different first secrets run side by side, each does so for itself.
 */
export function currentSecondFactors(db: Kysely<Tables>, secrets: KeyRing): BetterAuthPlugin {
  return {
    id: "current-second-factors",
    hooks: {
      before: [
        {
          matcher: ({ path }) => secrets.length > 1 && path?.startsWith("/two-factor/") === true,
          handler: createAuthMiddleware(async (ctx) => {
            const personId = await findPerson(ctx);
            if (personId !== null) await renewSecondFactors(db, secrets, personId);
          }),
        },
      ],
    },
  };
}

/** Encrypts the second factors of one person, or of all, under the first secret. Returns for how many people that was due. */
export async function renewSecondFactors(
  db: Kysely<Tables>,
  secrets: KeyRing,
  personId?: string,
): Promise<number> {
  if (secrets.length === 1) return 0;
  let query = db.selectFrom("two_factors").select(["id", "secret", "recovery_codes"]);
  if (personId !== undefined) query = query.where("person_id", "=", personId);
  let renewed = 0;
  for (const { id, secret, recovery_codes: codes } of await query.execute()) {
    const [newSecret, newCodes] = [await encryptAnew(secret, secrets), await encryptAnew(codes, secrets)];
    if (newSecret === secret && newCodes === codes) continue;
    // Somebody may have made other codes meanwhile.
    await db
      .updateTable("two_factors")
      .set({ secret: newSecret, recovery_codes: newCodes })
      .where("id", "=", id)
      .where("secret", "=", secret)
      .where("recovery_codes", "=", codes)
      .execute();
    renewed += 1;
  }
  return renewed;
}

/** The same text where it is encrypted under the first secret already, or under none of them. */
async function encryptAnew(data: string, [first, ...older]: KeyRing): Promise<string> {
  if ((await decrypted(data, first)) !== null) return data;
  for (const secret of older) {
    const plain = await decrypted(data, secret);
    if (plain !== null) return await symmetricEncrypt({ key: first, data: plain });
  }
  return data;
}

/** The encryption is authenticated, so another key decrypts nothing. */
async function decrypted(data: string, key: string): Promise<string | null> {
  return await symmetricDecrypt({ key, data }).catch(() => null);
}
