import type { IncomingHttpHeaders } from "node:http";
import { betterAuth } from "better-auth";
import type { Sessions } from "../../api/access/authorise.ts";
import { mailLinks } from "../../mail/links.ts";
import { authOptions, type PeopleOptions } from "./auth-options.ts";
import { type Confirmation, confirmIdentity } from "./confirm-identity.ts";
import { inTurn, type Passwords, SCRYPT } from "./passwords.ts";
import { findSession, isDue, isShortLived, ourCookies, readSessionToken } from "./sessions.ts";
import { createSetUpToken } from "./sign-up.ts";
import { renewSecondFactors } from "./two-factor-renewal.ts";

/** People and their sessions, which better-auth stores in our tables. */
export interface People extends Sessions {
  /** True if email is configured. */
  readonly verifiesEmail: boolean;
  /** Hashes and checks passwords: all in this process do it here, so that only two are hashed at a time. */
  readonly passwords: Passwords;
  /**
   * The URL that creates the first account, valid for a day; null where anybody may sign up or somebody has an account. Each
   * call makes another.
   */
  createSetUpLink(): Promise<string | null>;
  /** Encrypts under the first secret what is still encrypted under an older one. Returns for how many people. */
  renewSecondFactors(): Promise<number>;
  /** False for a request that nobody's session can be found by: none of its cookies is ours. */
  hasOurCookies(headers: IncomingHttpHeaders): boolean;
  /** Answers a request below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** Checks that the request comes from the person: by the password, or by a fresh session if they have none. */
  confirm(
    headers: IncomingHttpHeaders,
    personId: string,
    password: string | undefined,
  ): Promise<Confirmation>;
}

export function openPeople(
  options: Omit<PeopleOptions, "passwords"> & { readonly passwords?: Passwords | undefined },
): People {
  const { db, publicUrl, secrets } = options;
  const [secret] = secrets;
  const origins = ownOrigins(publicUrl);
  const passwords = inTurn(options.passwords ?? SCRYPT);
  const auth = betterAuth(authOptions({ ...options, passwords }, origins));

  return {
    passwords,
    async createSetUpLink() {
      const token = await createSetUpToken(options);
      return token === null ? null : mailLinks(publicUrl).signUp(token);
    },
    verifiesEmail: options.verifyEmail,
    renewSecondFactors: () => renewSecondFactors(db, secrets),
    hasOurCookies: ({ cookie }) => cookie !== undefined && ourCookies(cookie, secrets) !== "",
    async handle(given) {
      const request = new Request(given);
      const cookie = request.headers.get("cookie");
      if (cookie !== null) request.headers.set("cookie", ourCookies(cookie, secrets));
      const again = request.clone();
      const response = await auth.handler(request);
      // The slower one of two concurrent sign-ups must get the same answer as any other with a known address or a used link.
      return (await isLateSignUp(response)) ? await auth.handler(again) : response;
    },
    async findBySession({ cookie: given }, workspaceId) {
      const cookie = given === undefined ? undefined : ourCookies(given, secrets);
      const token = cookie === undefined ? null : readSessionToken(cookie, publicUrl, secret);
      if (cookie === undefined || token === null) return null;
      const [session] = await findSession(db, { token, workspaceId });
      if (session === undefined) return null;
      // Most requests need only this query; better-auth's own check takes several, but renews the session.
      if (isDue(session.expires_at, isShortLived(cookie, publicUrl), Date.now())) {
        const kept = await auth.api.getSession({ headers: new Headers({ cookie }) });
        // better-auth parses cookies more leniently, so it may have found the session of another cookie.
        if (kept?.session.token !== token) return null;
      }
      const { id, name, email, member_id: memberId, role } = session;
      const workspaceSuspended = session.workspace_suspended_at !== null;
      const isMember = memberId !== null && role !== null;
      return { id, name, email, member: isMember ? { id: memberId, role, workspaceSuspended } : null };
    },
    async confirm({ cookie }, personId, password) {
      const sessionToken =
        cookie === undefined ? null : readSessionToken(ourCookies(cookie, secrets), publicUrl, secret);
      return await confirmIdentity(db, passwords.verify, {
        personId,
        sessionToken,
        password,
        now: Date.now(),
      });
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

/** The public origin; for a local installation with both `127.0.0.1` and `localhost`. */
function ownOrigins(publicUrl: URL): string[] {
  const loopback = ["127.0.0.1", "localhost"];
  if (!loopback.includes(publicUrl.hostname)) return [publicUrl.origin];
  return loopback.map((hostname) => {
    const url = new URL(publicUrl);
    url.hostname = hostname;
    return url.origin;
  });
}
