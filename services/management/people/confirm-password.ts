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

/** How long somebody may act on their password without being asked for it again. */
const FRESH_MS = 10 * 60_000;
/** A passkey outlives its session: a browser left open must not be enough to make one. */
const PATHS = ["/passkey/generate-register-options", "/passkey/verify-registration"];

/** `POST /confirm-password` makes a session fresh again, as it is after a sign-in; new passkeys need a fresh one. */
export function passwordForPasskeys(db: Kysely<Tables>) {
  return {
    id: "password-for-passkeys",
    endpoints: {
      confirmPassword: createAuthEndpoint(
        "/confirm-password",
        { method: "POST", body: z.object({ password: z.string() }), use: [sessionMiddleware] },
        async (ctx) => {
          const { user, session } = ctx.context.session;
          await ctx.context.password.checkPassword(user.id, ctx);
          // better-auth calls a session fresh by its age.
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
          matcher: ({ path }) => path !== undefined && PATHS.includes(path),
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
