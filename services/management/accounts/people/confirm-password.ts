import type { BetterAuthPlugin } from "better-auth";
import {
  APIError,
  createAuthEndpoint,
  createAuthMiddleware,
  getSessionFromCtx,
  sessionMiddleware,
} from "better-auth/api";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";

/** How long after entering a password a session is fresh. */
const FRESH_MS = 10 * 60_000;
/** A passkey outlives its session, so an unattended browser must not be enough to add one. */
const NEEDS_FRESH = ["/passkey/generate-register-options", "/passkey/verify-registration"];
/** The endpoints that take the password of a signed-in person. */
const TAKES_PASSWORD = [
  "/confirm-password",
  "/change-password",
  "/email-change/request",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
];
/** Per person, so that a stolen session cannot guess the password, even from many addresses. */
const PASSWORD_RATE: RateRule = { name: "password-again", points: 20, durationSeconds: 60 * 60 };

/** `POST /confirm-password` makes a session as fresh as after a sign-in; adding a passkey needs a fresh one. */
export function confirmationOfPassword(db: Kysely<Tables>, limits: Pick<Limits, "consume">) {
  return {
    id: "confirmation-of-password",
    endpoints: {
      confirmPassword: createAuthEndpoint(
        "/confirm-password",
        { method: "POST", body: z.object({ password: z.string() }), use: [sessionMiddleware] },
        async (ctx) => {
          const { user, session } = ctx.context.session;
          await ctx.context.password.checkPassword(user.id, ctx);
          // better-auth decides by a session's age whether it is fresh.
          await db
            .updateTable("sessions")
            .set({ created_at: new Date() })
            .where("token", "=", session.token)
            .execute();
          return ctx.json({ status: true });
        },
      ),
    },
    hooks: {
      before: [
        {
          matcher: ({ path }) => path !== undefined && TAKES_PASSWORD.includes(path),
          handler: createAuthMiddleware(async (ctx) => {
            const found = await getSessionFromCtx(ctx);
            if (found === null) return;
            const { allowed } = await limits.consume(PASSWORD_RATE, found.user.id);
            if (allowed) return;
            const message = "Too many password attempts. Try again in an hour.";
            throw new APIError("TOO_MANY_REQUESTS", { code: "TOO_MANY_PASSWORDS", message });
          }),
        },
        {
          matcher: ({ path }) => path !== undefined && NEEDS_FRESH.includes(path),
          handler: createAuthMiddleware(async (ctx) => {
            const found = await getSessionFromCtx(ctx);
            if (found === null || Date.now() - found.session.createdAt.getTime() < FRESH_MS) return;
            throw new APIError("FORBIDDEN", {
              code: "SESSION_NOT_FRESH",
              message: "Confirm your password first.",
            });
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}
