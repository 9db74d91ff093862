import { createHmac } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

const PERIOD_MS = 30_000;
/** better-auth accepts codes of one period before and after its own; one more covers a tick of the clock in between. */
const PERIODS_AROUND = 2;

/**
 * Sign-in with a second factor: codes of an authenticator app (RFC 6238) or one of ten recovery codes. better-auth allows 5 wrong
 * codes per sign-in, and locks the person out for 15 minutes after 10 in a row. Each attempt needs the password first, so no
 * stranger can lock a person out.
 */
export function twoFactorSignIn(issuer: string) {
  return twoFactor({
    issuer,
    schema: {
      user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
      twoFactor: {
        modelName: "two_factors",
        fields: {
          userId: "person_id",
          backupCodes: "recovery_codes",
          failedVerificationCount: "failed_verifications",
          lockedUntil: "locked_until",
        },
      },
    },
  });
}

/** Makes each code work once, which better-auth does not: an onlooker cannot use a code again. */
export function codesWorkOnce(db: Kysely<Tables>): BetterAuthPlugin {
  return {
    id: "codes-work-once",
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/two-factor/verify-totp",
          handler: createAuthMiddleware(async (ctx) => {
            const personId = await findPerson(ctx);
            if (personId === null) return;
            const kept = await db
              .selectFrom("two_factors")
              .where("person_id", "=", personId)
              .select("secret")
              .executeTakeFirst();
            if (kept === undefined) return;
            const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: kept.secret });
            const step = findStep(secret, String(ctx.body.code), Date.now());
            if (step === null || (await claimStep(db, personId, step))) return;
            throw new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: "Invalid code" });
          }),
        },
      ],
    },
  };
}

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** The id of the person who is signed in, or who has entered their password and now has to enter a code. */
export async function findPerson(ctx: Context): Promise<string | null> {
  const session = await getSessionFromCtx(ctx);
  return session === null ? await findChallenged(ctx) : session.user.id;
}

async function findChallenged(ctx: Context): Promise<string | null> {
  const { name } = ctx.context.createAuthCookie("two_factor");
  const identifier = await ctx.getSignedCookie(name, ctx.context.secret);
  if (typeof identifier !== "string") return null;
  const challenge = await ctx.context.internalAdapter.findVerificationValue(identifier);
  return challenge?.value ?? null;
}

/** The period, near the current one, that the code belongs to; null for a wrong code. */
function findStep(secret: string, code: string, now: number): number | null {
  const current = Math.floor(now / PERIOD_MS);
  for (let step = current - PERIODS_AROUND; step <= current + PERIODS_AROUND; step += 1) {
    if (codeOf(secret, step) === code) return step;
  }
  return null;
}

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Marks a period as used. False if its code or a newer one was used before. */
async function claimStep(db: Kysely<Tables>, personId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("two_factors")
    .set({ last_step: step })
    .where("person_id", "=", personId)
    .where((where) => where.or([where("last_step", "is", null), where("last_step", "<", step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
