/** The prefix of better-auth's cookie names. */
export const COOKIE_PREFIX = "placard";
/** Before the name of a cookie that browsers keep over HTTPS alone. */
export const SECURE = "__Secure-";

/** The name of the session cookie; browsers accept a `__Secure-` one only over https. */
export function sessionCookieName(publicUrl: URL): string {
  return cookieName(publicUrl, "session_token");
}

/** As better-auth names a cookie. */
export function cookieName(publicUrl: URL, name: string): string {
  return `${publicUrl.protocol === "https:" ? SECURE : ""}${COOKIE_PREFIX}.${name}`;
}
