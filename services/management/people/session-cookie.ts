import { createHmac, timingSafeEqual } from "node:crypto";

/** What the names of better-auth's cookies begin with here. */
export const COOKIE_PREFIX = "placard";

/** The name of the cookie that a session is kept in; browsers take a `__Secure-` one over https alone. */
export function sessionCookieName(publicUrl: URL): string {
  return cookieName(publicUrl, "session_token");
}

/** The token in a request's session cookie, or null for none and for one that was not signed here. */
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

/** Whether the session is to end as it is, with the browser's or after a day, because its person wished so at sign-in. */
export function isShortLived(cookies: string, publicUrl: URL): boolean {
  return readCookie(cookies, cookieName(publicUrl, "dont_remember")) !== null;
}

function cookieName(publicUrl: URL, name: string): string {
  return `${publicUrl.protocol === "https:" ? "__Secure-" : ""}${COOKIE_PREFIX}.${name}`;
}

/** The first cookie of that name; undecodable ones are none. */
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
