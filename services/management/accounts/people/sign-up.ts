import { hash, randomBytes } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { SignUp } from "#libs/config/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { DEMO_EMAIL } from "#libs/domain/email-address.ts";
import { findOpenInvitation } from "../members/invitation-queries.ts";

/** What admits the first person. */
const SET_UP = "set-up";
const TOKEN_BYTES = 32;
const VALID_MS = 24 * 60 * 60_000;

export interface SignUpOptions {
  readonly db: Kysely<Tables>;
  /** Who may sign up once there is a first account. */
  readonly signUp: SignUp;
  /** Whether people can sign in only with a verified address. */
  readonly verifyEmail: boolean;
}

/** The part of a sign-up's body that says why it is admitted. */
const claim = z.object({ email: z.string(), token: z.string().optional() });

/**
 * `GET /sign-up` says who may sign up at present: `set-up` is whoever has the set-up link. A refusal comes before any account
 * is looked up, so it does not reveal whether the address has an account.
 */
export function limitedSignUp(options: SignUpOptions) {
  return {
    id: "limited-sign-up",
    endpoints: {
      whoMaySignUp: createAuthEndpoint("/sign-up", { method: "GET" }, async (ctx) => {
        const isSetUp = options.signUp === "open" || (await hasAnybody(options));
        return ctx.json({ signUp: isSetUp ? options.signUp : SET_UP });
      }),
    },
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/sign-up/email",
          handler: createAuthMiddleware(async (ctx) => {
            await admit(options, ctx.body);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/**
 * What admits this sign-up, for `people.admitted_by`: the id of the invitation whose token it has, or `set-up`; null where
 * anybody may sign up. The column is unique, so each admits one person, however many ask at the same time. Throws
 * `APIError` 403 for a sign-up that nothing admits, by any way to create an account.
 */
export async function admit(options: SignUpOptions, body: unknown): Promise<string | null> {
  const { db, signUp } = options;
  if (signUp === "open") return null;
  const { email, token } = claim.parse(body);
  const tokenHash = token === undefined ? null : hashOf(token);
  if (!(await hasAnybody(options))) {
    if (tokenHash !== null && (await isSetUpToken(db, tokenHash))) {
      await forgetUnverified(options);
      return SET_UP;
    }
    throw refusal(
      "SIGN_UP_BY_SET_UP_LINK",
      "The first account is created with the set-up link that this installation printed when it started.",
    );
  }
  if (signUp === "closed") {
    throw refusal(
      "SIGN_UP_CLOSED",
      "Nobody can create an account here. Ask the operator of this installation.",
    );
  }
  const invitation =
    tokenHash === null
      ? undefined
      : await findOpenInvitation(db, { tokenHash, email: email.toLowerCase(), now: new Date() });
  if (invitation !== undefined) return invitation.id;
  throw refusal(
    "SIGN_UP_BY_INVITATION",
    "Only people who were invited can create an account, with the link and the address of the invitation. Each link creates one account.",
  );
}

/**
 * The token of a link that creates the first account, within a day; null where anybody may sign up or somebody has an account.
 * Each process of an installation may print one: all are valid until one is used. The database keeps only its hash.
 */
export async function createSetUpToken(options: SignUpOptions): Promise<string | null> {
  if (options.signUp === "open" || (await hasAnybody(options))) return null;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await options.db
    .insertInto("verifications")
    .values({
      id: crypto.randomUUID(),
      identifier: SET_UP,
      value: hashOf(token).toString("base64url"),
      expires_at: new Date(Date.now() + VALID_MS),
    })
    .execute();
  return token;
}

async function isSetUpToken(db: Kysely<Tables>, tokenHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom("verifications")
    .where("identifier", "=", SET_UP)
    .where("value", "=", tokenHash.toString("base64url"))
    .where("expires_at", ">", new Date())
    .select("id")
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Whether somebody but the demo's publisher has an account. Where addresses are verified, an account counts once its address
 * is, or once it is a member's: a mistyped address must not keep its owner out.
 */
async function hasAnybody({ db, verifyEmail }: SignUpOptions): Promise<boolean> {
  const found = await db
    .selectFrom("people")
    .where("email", "!=", DEMO_EMAIL)
    .$if(verifyEmail, (query) =>
      query.where((where) =>
        where.or([
          where("email_verified", "=", true),
          where.exists(
            where.selectFrom("members").whereRef("members.person_id", "=", "people.id").select("members.id"),
          ),
        ]),
      ),
    )
    .select("id")
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Lets the set-up link be used again after a sign-up whose address was never verified. */
async function forgetUnverified({ db, verifyEmail }: SignUpOptions): Promise<void> {
  if (!verifyEmail) return;
  await db
    .updateTable("people")
    .set({ admitted_by: null })
    .where("admitted_by", "=", SET_UP)
    .where("email_verified", "=", false)
    .execute();
}

function refusal(code: string, message: string): APIError {
  return new APIError("FORBIDDEN", { code, message });
}

/** A fast hash is enough, because a random token cannot be guessed. */
function hashOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
