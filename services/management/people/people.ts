import type { IncomingHttpHeaders } from "node:http";
import { betterAuth } from "better-auth";
import type { MemberRole } from "#libs/domain/member.ts";
import { authOptions, type PeopleOptions } from "./auth-options.ts";
import { type Confirmation, confirmIdentity } from "./confirm-identity.ts";
import { isShortLived, readSessionToken } from "./session-cookie.ts";
import { findSession, isDue } from "./sessions.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** What the person is in the workspace that was asked for; null when no member of it. */
  readonly member: {
    readonly id: string;
    readonly role: MemberRole;
    readonly workspaceSuspended: boolean;
  } | null;
}

/** People and their sessions, kept by better-auth in our tables. */
export interface People {
  /** Whether addresses are verified, which is where mail is sent. */
  readonly verifiesEmail: boolean;
  /** Answers a request below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** The person whose session cookie is in the headers, or null, and their membership in a workspace, if one is named. */
  findBySession(headers: IncomingHttpHeaders, workspaceId: string | null): Promise<Person | null>;
  /** Whether the password, or a fresh session of somebody who has none, shows that it is the person themselves. */
  confirm(
    headers: IncomingHttpHeaders,
    personId: string,
    password: string | undefined,
  ): Promise<Confirmation>;
  /** Whether a browser says that the request comes from a page of this site; requests of other clients say nothing. */
  isOwnOrigin(headers: IncomingHttpHeaders): boolean;
}

/** Opens the people of an installation. */
export function openPeople(options: PeopleOptions): People {
  const { db, publicUrl, secret } = options;
  const origins = ownOrigins(publicUrl);
  const auth = betterAuth(authOptions(options, origins));

  return {
    verifiesEmail: options.verifyEmail,
    async handle(request) {
      const again = request.clone();
      const response = await auth.handler(request);
      // Of two sign-ups at once the slower one is answered as any other with an address that is known.
      return options.verifyEmail && (await isLateSignUp(response)) ? await auth.handler(again) : response;
    },
    async findBySession({ cookie }, workspaceId) {
      const token = cookie === undefined ? null : readSessionToken(cookie, publicUrl, secret);
      if (cookie === undefined || token === null) return null;
      const [session] = await findSession(db, { token, workspaceId });
      if (session === undefined) return null;
      // Almost every request needs no more than this one look; better-auth's own takes several, and its renewal.
      if (isDue(session.expires_at, isShortLived(cookie, publicUrl), Date.now())) {
        const kept = await auth.api.getSession({ headers: new Headers({ cookie }) });
        // better-auth takes spellings of a cookie that we do not: it may have looked at another session of several.
        if (kept?.session.token !== token) return null;
      }
      const { id, name, email, member_id: memberId, role } = session;
      const workspaceSuspended = session.workspace_suspended_at !== null;
      const isMember = memberId !== null && role !== null;
      return { id, name, email, member: isMember ? { id: memberId, role, workspaceSuspended } : null };
    },
    async confirm({ cookie }, personId, password) {
      const { password: kept } = await auth.$context;
      const sessionToken = cookie === undefined ? null : readSessionToken(cookie, publicUrl, secret);
      return await confirmIdentity(db, kept.verify, { personId, sessionToken, password, now: Date.now() });
    },
    isOwnOrigin(headers) {
      if (headers["sec-fetch-site"] === "cross-site") return false;
      return headers.origin === undefined || origins.includes(headers.origin);
    },
  };
}

async function isLateSignUp(response: Response): Promise<boolean> {
  return response.status === 422 && (await response.clone().text()).includes('"FAILED_TO_CREATE_USER"');
}

/** The public origin, and for a local installation both of its usual names. */
export function ownOrigins(publicUrl: URL): string[] {
  const loopback = ["127.0.0.1", "localhost"];
  if (!loopback.includes(publicUrl.hostname)) return [publicUrl.origin];
  return loopback.map((hostname) => {
    const url = new URL(publicUrl);
    url.hostname = hostname;
    return url.origin;
  });
}
