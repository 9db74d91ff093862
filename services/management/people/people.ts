import type { IncomingHttpHeaders } from "node:http";
import { betterAuth } from "better-auth";
import { fromNodeHeaders } from "better-auth/node";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import { type IdKind, newId } from "#libs/domain/ids.ts";

export interface PeopleOptions {
  readonly db: Kysely<Tables>;
  /** Signs session cookies; at least 32 random characters, the same in every process. */
  readonly secret: string;
  readonly publicUrl: URL;
  readonly logger: Logger;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** People and their sessions, kept by better-auth in our tables. */
export interface People {
  /** Answers a request below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** The person whose session cookie is in the headers, or null. */
  findBySession(headers: IncomingHttpHeaders): Promise<Person | null>;
  /** Whether a browser says that the request comes from a page of this site; requests of other clients say nothing. */
  isOwnOrigin(headers: IncomingHttpHeaders): boolean;
}

const ID_KINDS: Readonly<Record<string, IdKind>> = { user: "person" };

/** Opens the people of an installation. Sessions live for 30 days and are renewed once a day. */
export function openPeople(options: PeopleOptions): People {
  const { db, secret, publicUrl, logger } = options;
  const origins = ownOrigins(publicUrl);
  const auth = betterAuth({
    appName: "Placard",
    baseURL: publicUrl.origin,
    basePath: "/api/auth",
    secret,
    trustedOrigins: origins,
    telemetry: { enabled: false },
    database: { db, type: "postgres" },
    emailAndPassword: { enabled: true, minPasswordLength: 8, maxPasswordLength: 128 },
    // Limited per address before better-auth sees a request, by the limits that all processes share.
    rateLimit: { enabled: false },
    session: {
      modelName: "sessions",
      expiresIn: 30 * 24 * 60 * 60,
      updateAge: 24 * 60 * 60,
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
    },
    advanced: {
      cookiePrefix: "placard",
      useSecureCookies: publicUrl.protocol === "https:",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      ipAddress: { disableIpTracking: true },
      database: {
        generateId: ({ model }) => {
          const kind = ID_KINDS[model];
          return kind === undefined ? crypto.randomUUID() : newId(kind);
        },
      },
    },
    logger: {
      log: (level, message, ...details) => logger[level]({ details }, message),
    },
  });

  return {
    handle: (request) => auth.handler(request),
    async findBySession(headers) {
      if (headers.cookie === undefined) return null;
      const session = await auth.api.getSession({ headers: fromNodeHeaders(headers) });
      return session === null
        ? null
        : { id: session.user.id, name: session.user.name, email: session.user.email };
    },
    isOwnOrigin(headers) {
      if (headers["sec-fetch-site"] === "cross-site") return false;
      return headers.origin === undefined || origins.includes(headers.origin);
    },
  };
}

/** The public origin, and for a local installation both of its usual names. */
function ownOrigins(publicUrl: URL): string[] {
  const loopback = ["127.0.0.1", "localhost"];
  if (!loopback.includes(publicUrl.hostname)) return [publicUrl.origin];
  return loopback.map((hostname) => {
    const url = new URL(publicUrl);
    url.hostname = hostname;
    return url.origin;
  });
}
