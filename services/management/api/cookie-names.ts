/** The prefix of better-auth's cookie names. */
export const COOKIE_PREFIX = "placard";

/** The name of the session cookie; browsers accept a `__Secure-` one only over https. */
export function sessionCookieName(publicUrl: URL): string {
  return cookieName(publicUrl, "session_token");
}

/** As better-auth names a cookie. */
export function cookieName(publicUrl: URL, name: string): string {
  return `${publicUrl.protocol === "https:" ? "__Secure-" : ""}${COOKIE_PREFIX}.${name}`;
}
