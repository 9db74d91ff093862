import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { SignUp } from "#libs/config/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { hasOpenInvitation } from "../members/invitation-queries.ts";

/** The demo's publisher. Nothing is sent to addresses in `.invalid`. */
export const DEMO_EMAIL = "demo@publisher.invalid";

export interface SignUpOptions {
  readonly db: Kysely<Tables>;
  /** Who may sign up once there is a first account. */
  readonly signUp: SignUp;
}

/**
 * `GET /sign-up` says who may sign up at present. A refusal comes before any account is looked up, so it does not reveal
 * whether the address has an account.
 */
export function limitedSignUp(options: SignUpOptions) {
  return {
    id: "limited-sign-up",
    endpoints: {
      whoMaySignUp: createAuthEndpoint("/sign-up", { method: "GET" }, async (ctx) =>
        ctx.json({ signUp: await whoMaySignUp(options) }),
      ),
    },
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/sign-up/email",
          handler: createAuthMiddleware(async (ctx) => {
            const { email } = z.object({ email: z.string() }).parse(ctx.body);
            await requireMaySignUp(options, email);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** Throws unless this address may sign up at present, by any way to create an account. */
export async function requireMaySignUp(options: SignUpOptions, email: string): Promise<void> {
  const { db } = options;
  const signUp = await whoMaySignUp(options);
  if (signUp === "open") return;
  if (signUp === "closed") {
    throw new APIError("FORBIDDEN", {
      code: "SIGN_UP_CLOSED",
      message: "Nobody can create an account here. Ask the operator of this installation.",
    });
  }
  if (await hasOpenInvitation(db, email.toLowerCase(), new Date())) return;
  throw new APIError("FORBIDDEN", {
    code: "SIGN_UP_BY_INVITATION",
    message: "Only people who were invited can create an account, with the address of the invitation.",
  });
}

/** Open until there is a first account, which nobody could invite. */
async function whoMaySignUp({ db, signUp }: SignUpOptions): Promise<SignUp> {
  if (signUp === "open") return signUp;
  const anybody = await db
    .selectFrom("people")
    .where("email", "!=", DEMO_EMAIL)
    .select("id")
    .limit(1)
    .executeTakeFirst();
  return anybody === undefined ? "open" : signUp;
}
