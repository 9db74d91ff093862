import type { BetterAuthOptions } from "better-auth";
import { APIError, isAPIError } from "better-auth/api";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { SignUp } from "#libs/config/index.ts";
import { reasonOf } from "#libs/database/errors.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type IdKind, newId } from "#libs/domain/ids.ts";
import type { Limits } from "#libs/limits/index.ts";
import type { Message } from "#libs/mail/index.ts";
import { changeOfEmail } from "./change-email.ts";
import { accountConfirmation, proveByReset } from "./confirm-account.ts";
import { confirmationOfPassword } from "./confirm-password.ts";
import { cancelLinks } from "./email-change-queries.ts";
import { existingAccountMail, resetMail, securityMail, verificationMail } from "./mails.ts";
import { passkeySignIn } from "./passkeys.ts";
import { securityNotices } from "./security-notices.ts";
import { COOKIE_PREFIX } from "./session-cookie.ts";
import { SESSION_TIMES } from "./sessions.ts";
import { limitedSignUp, requireMaySignUp } from "./sign-up.ts";
import { tellPerson } from "./tell-person.ts";
import { codesWorkOnce, twoFactorSignIn } from "./two-factor.ts";

export interface PeopleOptions {
  readonly db: Kysely<Tables>;
  /** Signs session cookies; at least 32 random characters, the same in every process. */
  readonly secret: string;
  readonly publicUrl: URL;
  readonly limits: Limits;
  /**
   * Whether an address has to be verified before its person can sign in. True where mail really leaves. A sign-up then
   * does not tell whether an address is known.
   */
  readonly verifyEmail: boolean;
  /** Who may sign up, once there is somebody. */
  readonly signUp: SignUp;
  /** How passwords are kept. Default better-auth's scrypt, which takes a tenth of a second of a core on purpose. */
  readonly passwords?: Passwords | undefined;
  readonly logger: Logger;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  verify(kept: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

const ID_KINDS: Readonly<Record<string, IdKind>> = { user: "person" };

/** better-auth as it is set up here: our tables' names, our ids, our mail. Sessions live 30 days, renewed once a day. */
export function authOptions(options: PeopleOptions, trustedOrigins: readonly string[]) {
  const { db, secret, publicUrl, verifyEmail, passwords, logger } = options;
  const tell = (kind: string, personId: string, message: Message) =>
    tellPerson(options, kind, personId, message);

  return {
    appName: "Placard",
    baseURL: publicUrl.origin,
    basePath: "/api/auth",
    secret,
    trustedOrigins: [...trustedOrigins],
    telemetry: { enabled: false },
    database: { db, type: "postgres" },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      ...(passwords === undefined ? {} : { password: passwords }),
      requireEmailVerification: verifyEmail,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) => tell("reset", user.id, resetMail(publicUrl, user, token)),
      // Other links to choose a password that are under way end with the first one that is used.
      onPasswordReset: async ({ user }) => {
        await cancelLinks(db, user.id);
        await proveByReset(db, user.id);
      },
      onExistingUserSignUp: async ({ user }) =>
        tell("sign-up", user.id, existingAccountMail(publicUrl, user)),
    },
    emailVerification: {
      sendOnSignUp: verifyEmail,
      sendOnSignIn: verifyEmail,
      // The link must not sign anybody in: an attacker could send their own link to make somebody use their account.
      autoSignInAfterVerification: false,
      ...(verifyEmail
        ? {
            sendVerificationEmail: async ({ user, url, token }) =>
              tell(
                "verification",
                user.id,
                verificationMail(publicUrl, user, token, new URL(url).searchParams.get("callbackURL")),
              ),
          }
        : {}),
    },
    plugins: [
      limitedSignUp(options),
      accountConfirmation(),
      twoFactorSignIn(`Placard (${publicUrl.hostname})`),
      codesWorkOnce(db),
      passkeySignIn(db, publicUrl, trustedOrigins),
      confirmationOfPassword(db, options.limits),
      changeOfEmail(options),
      securityNotices(options, publicUrl),
    ],
    databaseHooks: {
      session: { create: { before: async ({ userId }) => refuseSuspended(db, userId) } },
      user: {
        create: { before: async ({ email }) => requireMaySignUp(options, email) },
        update: {
          // A code confirms the authenticator once; later ones come with each sign-in.
          after: async (user, context) => {
            if (context?.path !== "/two-factor/verify-totp") return;
            await tell("two-factor-on", user.id, securityMail(publicUrl, user, "two-factor-on"));
          },
        },
      },
    },
    // Limited per address before better-auth sees a request, by the limits that all processes share.
    rateLimit: { enabled: false },
    session: {
      modelName: "sessions",
      ...SESSION_TIMES,
      fields: {
        userId: "person_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    user: {
      modelName: "people",
      fields: { emailVerified: "email_verified", createdAt: "created_at", updatedAt: "updated_at" },
    },
    account: {
      modelName: "credentials",
      fields: {
        userId: "person_id",
        providerId: "provider_id",
        accountId: "account_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    verification: {
      modelName: "verifications",
      fields: { expiresAt: "expires_at", createdAt: "created_at", updatedAt: "updated_at" },
      storeIdentifier: "hashed",
    },
    advanced: {
      // Said, because better-auth would otherwise leave these checks out in what it takes for a test environment.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: publicUrl.protocol === "https:",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      ipAddress: { disableIpTracking: true },
      database: {
        // Our migrations have made it by now, and a database that is away for a moment is no wrong schema.
        validateSchema: false,
        generateId: ({ model }) => {
          const kind = ID_KINDS[model];
          return kind === undefined ? crypto.randomUUID() : newId(kind);
        },
      },
    },
    onAPIError: {
      // A refusal is an answer like any other.
      onError: (error) => {
        if (!isAPIError(error))
          logger.error({ reason: reasonOf(error) }, "a request about an account failed");
      },
    },
    logger: {
      // What it says of requests names addresses; only its own failures are worth keeping.
      level: "error",
      log: (level, message) => logger[level]({}, message),
    },
  } satisfies BetterAuthOptions;
}

/** The last step of every kind of sign-in. */
async function refuseSuspended(db: Kysely<Tables>, personId: string): Promise<void> {
  const person = await db
    .selectFrom("people")
    .where("id", "=", personId)
    .select("suspended_at")
    .executeTakeFirst();
  if (person === undefined || person.suspended_at === null) return;
  throw new APIError("FORBIDDEN", {
    code: "ACCOUNT_SUSPENDED",
    message: "This account is suspended. Ask the operator of this installation.",
  });
}
