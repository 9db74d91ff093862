import { createHmac, timingSafeEqual } from "node:crypto";
import { type PlaceOf, statement } from "#libs/database/statement.ts";

/** Seconds: the lifetime of a session after its last renewal, and the age at which the next request renews it. */
export const SESSION_TIMES = { expiresIn: 30 * 24 * 60 * 60, updateAge: 24 * 60 * 60 };

/** The session with that token, its person, and their membership in a workspace; none if the person is suspended. */
export const findSession = statement(
  "session",
  (db, place: PlaceOf<{ readonly token: string; readonly workspaceId: string | null }>) =>
    db
      .selectFrom("sessions")
      .innerJoin("people", "people.id", "sessions.person_id")
      .leftJoin("members", (join) =>
        join
          .onRef("members.person_id", "=", "people.id")
          .on("members.workspace_id", "=", place("workspaceId")),
      )
      .leftJoin("workspaces", "workspaces.id", "members.workspace_id")
      .where("people.suspended_at", "is", null)
      .where("sessions.token", "=", place("token"))
      .select([
        "sessions.expires_at",
        "people.id",
        "people.name",
        "people.email",
        "members.id as member_id",
        "members.role",
        "workspaces.suspended_at as workspace_suspended_at",
      ]),
);

/** Whether better-auth must renew or end the session. */
export function isDue(expiresAt: Date, shortLived: boolean, now: number): boolean {
  const renewed = shortLived ? 0 : SESSION_TIMES.expiresIn - SESSION_TIMES.updateAge;
  return expiresAt.getTime() - renewed * 1000 <= now;
}

/** The prefix of better-auth's cookie names. */
export const COOKIE_PREFIX = "placard";

/** The name of the session cookie; browsers accept a `__Secure-` one only over https. */
export function sessionCookieName(publicUrl: URL): string {
  return cookieName(publicUrl, "session_token");
}

/** The token in a request's session cookie; null without a cookie, or with one that we did not sign. */
export function readSessionToken(cookies: string, publicUrl: URL, secret: string): string | null {
  const signed = readCookie(cookies, sessionCookieName(publicUrl));
  if (signed === null) return null;
  const dot = signed.lastIndexOf(".");
  const token = signed.slice(0, Math.max(0, dot));
  const signature = Buffer.from(signed.slice(dot + 1), "base64");
  const expected = createHmac("sha256", secret).update(token).digest();
  if (token === "" || signature.length !== expected.length) return null;
  return timingSafeEqual(signature, expected) ? token : null;
}

/** Whether the session must not be renewed, because its person chose not to be remembered. */
export function isShortLived(cookies: string, publicUrl: URL): boolean {
  return readCookie(cookies, cookieName(publicUrl, "dont_remember")) !== null;
}

function cookieName(publicUrl: URL, name: string): string {
  return `${publicUrl.protocol === "https:" ? "__Secure-" : ""}${COOKIE_PREFIX}.${name}`;
}

/** The first cookie of that name; null if it cannot be decoded. */
function readCookie(cookies: string, name: string): string | null {
  const found = cookies
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`));
  try {
    return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1));
  } catch {
    return null;
  }
}
