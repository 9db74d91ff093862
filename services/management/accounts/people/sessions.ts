import { createHmac, timingSafeEqual } from "node:crypto";
import type { Kysely } from "kysely";
import { type PlaceOf, statement } from "#libs/database/statement.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { KeyRing } from "#libs/installation/index.ts";
import { COOKIE_PREFIX, cookieName, SECURE, sessionCookieName } from "../../api/cookie-names.ts";

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

/** A person has fewer devices. better-auth lists 100 sessions, and ends only those when somebody ends all but their own. */
const MOST_SESSIONS = 50;

/** Ends those of a person's sessions that were used longest ago, until they have no more than one may have. */
export async function endOldestSessions(db: Kysely<Tables>, personId: string): Promise<void> {
  const oldest = db
    .selectFrom("sessions")
    .where("person_id", "=", personId)
    .orderBy("updated_at", "desc")
    .orderBy("created_at", "desc")
    .offset(MOST_SESSIONS)
    .select("id");
  await db.deleteFrom("sessions").where("person_id", "=", personId).where("id", "in", oldest).execute();
}

/** Whether better-auth must renew or end the session. */
export function isDue(expiresAt: Date, shortLived: boolean, now: number): boolean {
  const renewed = shortLived ? 0 : SESSION_TIMES.expiresIn - SESSION_TIMES.updateAge;
  return expiresAt.getTime() - renewed * 1000 <= now;
}

/** The name and value of a cookie that better-auth may have set. It sets ASCII only, so decoding such a cookie never throws. */
const DECODABLE = /^[^=%]+=(?:[^%]|%[0-7][0-9a-f])*$/i;

function isOurs(cookie: string): boolean {
  const text = cookie.trimStart();
  return (
    [`${COOKIE_PREFIX}.`, `${SECURE}${COOKIE_PREFIX}.`].some((ours) => text.startsWith(ours)) &&
    DECODABLE.test(text)
  );
}

/**
 * Our cookies of a request, with those that have an older secret's signature signed again with the first, the only one that the code
 * behind this knows. Drops all others: better-auth would decode the thousands that 16 KB have, and each malformed one throws.
 */
export function ourCookies(cookies: string, [first, ...older]: KeyRing): string {
  return cookies
    .split(";")
    .filter(isOurs)
    .map((cookie) => {
      const equals = cookie.indexOf("=");
      const [name, signed] = [cookie.slice(0, equals).trim(), cookie.slice(equals + 1)];
      const { text, signature } = splitSigned(decodeURIComponent(signed));
      if (!older.some((secret) => isSignature(signature, text, secret))) return cookie;
      return `${name}=${encodeURIComponent(`${text}.${sign(text, first).toString("base64")}`)}`;
    })
    .join(";");
}

/** The token in the session cookie of `ourCookies`; null without a cookie, or with one that we did not sign. */
export function readSessionToken(cookies: string, publicUrl: URL, secret: string): string | null {
  const signed = readCookie(cookies, sessionCookieName(publicUrl));
  if (signed === null) return null;
  const { text, signature } = splitSigned(signed);
  return text !== "" && isSignature(signature, text, secret) ? text : null;
}

/** A signed cookie is its text, a dot and the signature in base64, which has no dot. */
function splitSigned(signed: string): { readonly text: string; readonly signature: Buffer } {
  const dot = signed.lastIndexOf(".");
  return {
    text: signed.slice(0, Math.max(0, dot)),
    signature: Buffer.from(signed.slice(dot + 1), "base64"),
  };
}

function sign(text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

const SIGNATURE_BYTES = 32;

/** Signs nothing for a signature that cannot be one: a request of 16 KB has thousands of cookies. */
function isSignature(signature: Buffer, text: string, secret: string): boolean {
  return signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, sign(text, secret));
}

/** Whether the session must not be renewed, because its person chose not to be remembered. */
export function isShortLived(cookies: string, publicUrl: URL): boolean {
  return readCookie(cookies, cookieName(publicUrl, "dont_remember")) !== null;
}

/** The first cookie of that name. */
function readCookie(cookies: string, name: string): string | null {
  const found = cookies
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`));
  return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1));
}
