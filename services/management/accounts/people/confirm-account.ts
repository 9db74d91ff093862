import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { verifyJWT } from "better-auth/crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import type { KeyRing } from "#libs/installation/index.ts";

/** The payload of better-auth's verification tokens. One with `updateTo` would change an address and is refused. */
const payload = z.object({ email: z.string(), updateTo: z.undefined().optional() });

/**
 * `POST /confirm-account` verifies an address by the emailed token and the password of the sign-up. A stranger may have signed up
 * with the address, and the link alone would make the stranger's password valid for it. better-auth's own endpoint takes the
 * token alone, so we do not mount it.
 */
export function accountConfirmation(secrets: KeyRing) {
  return {
    id: "account-confirmation",
    endpoints: {
      confirmAccount: createAuthEndpoint(
        "/confirm-account",
        { method: "POST", body: z.object({ token: z.string(), password: z.string() }) },
        async (ctx) => {
          const { internalAdapter, password } = ctx.context;
          const parsed = payload.safeParse(await readToken(ctx.body.token, secrets));
          if (!parsed.success) throw refusal("INVALID_TOKEN", "The link has expired or is incomplete.");
          const { email } = parsed.data;
          const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true });
          const hash = found?.accounts.find(({ providerId }) => providerId === "credential")?.password;
          if (found === null || hash === undefined || hash === null) {
            throw refusal("INVALID_TOKEN", "The link has expired or is incomplete.");
          }
          if (!(await password.verify({ hash, password: ctx.body.password }))) {
            throw refusal("INVALID_PASSWORD", "This isn't the password you signed up with.");
          }
          if (!found.user.emailVerified) {
            await internalAdapter.updateUser(found.user.id, { emailVerified: true });
          }
          return ctx.json({ email });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}

async function readToken(token: string, secrets: KeyRing): Promise<unknown> {
  for (const secret of secrets) {
    const read = await verifyJWT(token, secret);
    if (read !== null) return read;
  }
  return null;
}

/**
 * Marks an email address as verified after its owner chose a password by an emailed link. If it was not verified before, a
 * stranger may have signed up with it, so this removes the account's second factor and passkeys.
 */
export async function proveByReset(db: Kysely<Tables>, personId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const unproved = await trx
      .updateTable("people")
      .set({ email_verified: true, two_factor_enabled: false })
      .where("id", "=", personId)
      .where("email_verified", "=", false)
      .returning("id")
      .executeTakeFirst();
    if (unproved === undefined) return;
    await trx.deleteFrom("passkeys").where("person_id", "=", personId).execute();
    await trx.deleteFrom("two_factors").where("person_id", "=", personId).execute();
    await trx
      .deleteFrom("credentials")
      .where("person_id", "=", personId)
      .where("provider_id", "!=", "credential")
      .execute();
  });
}

function refusal(code: string, message: string): APIError {
  return new APIError("BAD_REQUEST", { code, message });
}
