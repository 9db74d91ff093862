import type { BetterAuthOptions } from "better-auth";
import { APIError, isAPIError } from "better-auth/api";
import type { Kysely } from "kysely";
import type { SignUp } from "#libs/config/index.ts";
import { reasonOf } from "#libs/database/errors.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type IdKind, newId } from "#libs/domain/ids.ts";
import { LONGEST, SHORTEST } from "#libs/domain/limits.ts";
import { HttpError } from "#libs/http/index.ts";
import type { KeyRing } from "#libs/installation/index.ts";
import { COOKIE_PREFIX } from "../../api/cookie-names.ts";
import {
  existingAccountLetter,
  passwordResetLetter,
  verificationLetter,
} from "../../mail/account-letters.ts";
import { mailLinks } from "../../mail/links.ts";
import { changeOfEmail } from "./change-email.ts";
import { accountConfirmation, proveByReset } from "./confirm-account.ts";
import { confirmationOfPassword } from "./confirm-password.ts";
import { cancelLinks } from "./email-change-queries.ts";
import { mailPerson, type PersonMailPorts } from "./mail-person.ts";
import { passkeySignIn } from "./passkeys.ts";
import type { Passwords } from "./passwords.ts";
import { mailSecurityNotice, securityNotices } from "./security-notices.ts";
import { endOldestSessions, SESSION_TIMES } from "./sessions.ts";
import { admit, limitedSignUp } from "./sign-up.ts";
import { codesWorkOnce, twoFactorSignIn } from "./two-factor.ts";
import { currentSecondFactors } from "./two-factor-renewal.ts";

export interface PeopleOptions extends PersonMailPorts {
  /** Sign session cookies; at least 32 random characters each, the same in every process. */
  readonly secrets: KeyRing;
  readonly publicUrl: URL;
  /**
   * Whether people can sign in only with a verified address. True if a mail server is configured. A sign-up then does not
   * reveal whether an address has an account.
   */
  readonly verifyEmail: boolean;
  /** Who may sign up once there is a first account. */
  readonly signUp: SignUp;
  readonly passwords: Passwords;
}

const TIMES = { createdAt: "created_at", updatedAt: "updated_at" };

const ID_KINDS: Readonly<Record<string, IdKind>> = { user: "person" };

/** Configures better-auth: our tables, ids and emails. Sessions live 30 days and are renewed once per day. */
export function authOptions(options: PeopleOptions, trustedOrigins: readonly string[]) {
  const { db, secrets, publicUrl, verifyEmail, passwords, logger } = options;
  const links = mailLinks(publicUrl);

  return {
    appName: "Placard",
    baseURL: publicUrl.origin,
    basePath: "/api/auth",
    // Requests reach it with cookies that are signed under the first (`people.ts`).
    secret: secrets[0],
    trustedOrigins: [...trustedOrigins],
    telemetry: { enabled: false },
    database: { db, type: "postgres" },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: SHORTEST.password,
      maxPasswordLength: LONGEST.password,
      password: passwords,
      requireEmailVerification: verifyEmail,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) => {
        const letter = passwordResetLetter({ url: links.resetPassword(token) });
        await mailPerson(options, "reset", user, letter);
      },
      // The first link that is followed cancels the others.
      onPasswordReset: async ({ user }) => {
        await cancelLinks(db, user.id);
        await proveByReset(db, user.id);
      },
      onExistingUserSignUp: async ({ user }) =>
        mailPerson(options, "sign-up", user, existingAccountLetter({ url: links.signIn() })),
    },
    emailVerification: {
      sendOnSignUp: verifyEmail,
      sendOnSignIn: verifyEmail,
      // Else an attacker could send a victim their own link, to make them use the attacker's account.
      autoSignInAfterVerification: false,
      ...(verifyEmail
        ? {
            sendVerificationEmail: async ({ user, url, token }) => {
              const from = new URL(url).searchParams.get("callbackURL");
              const letter = verificationLetter({ url: links.confirmAccount(token, from) });
              await mailPerson(options, "verification", user, letter);
            },
          }
        : {}),
    },
    plugins: [
      limitedSignUp(options),
      accountConfirmation(secrets),
      twoFactorSignIn(`Placard (${publicUrl.hostname})`),
      currentSecondFactors(db, secrets),
      codesWorkOnce(db),
      passkeySignIn(db, publicUrl, trustedOrigins),
      confirmationOfPassword(db, options.limits),
      changeOfEmail(options),
      securityNotices(options, publicUrl),
    ],
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => refuseSuspended(db, userId),
          after: async ({ userId }) => endOldestSessions(db, userId),
        },
      },
      user: {
        create: {
          before: async ({ email }, context) => {
            const admittedBy = await admit(options, { ...context?.body, email });
            return { data: { admittedBy } };
          },
        },
        update: {
          // Only the first code turns two-factor sign-in on, which updates the person.
          after: async (user, context) => {
            if (context?.path !== "/two-factor/verify-totp") return;
            await mailSecurityNotice(options, publicUrl, user, "two-factor-on");
          },
        },
      },
    },
    // `routes.ts` limits requests per address, by limits that all processes share.
    rateLimit: { enabled: false },
    session: {
      modelName: "sessions",
      ...SESSION_TIMES,
      fields: {
        userId: "person_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...TIMES,
      },
    },
    user: {
      modelName: "people",
      fields: { emailVerified: "email_verified", ...TIMES },
      additionalFields: {
        admittedBy: {
          type: "string",
          fieldName: "admitted_by",
          required: false,
          unique: true,
          input: false,
          returned: false,
        },
      },
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
        ...TIMES,
      },
    },
    verification: {
      modelName: "verifications",
      fields: { expiresAt: "expires_at", ...TIMES },
      storeIdentifier: "hashed",
    },
    advanced: {
      // Explicit, because better-auth skips these checks if it detects a test environment.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: publicUrl.protocol === "https:",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      ipAddress: { disableIpTracking: true },
      database: {
        // Our migrations own the schema, and an unavailable database is not a wrong schema.
        validateSchema: false,
        generateId: ({ model }) => {
          const kind = ID_KINDS[model];
          return kind === undefined ? crypto.randomUUID() : newId(kind);
        },
      },
    },
    onAPIError: {
      // Refusals are not logged. Ours pass as they are.
      onError: (error) => {
        if (error instanceof HttpError) throw error;
        if (!isAPIError(error)) logger.error({ reason: reasonOf(error) }, "an account request failed");
      },
    },
    logger: {
      // Its lower levels log people's addresses.
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
