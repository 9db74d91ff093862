const KEY = "placard-invitation";

/** The token of an invitation or of the set-up link, from the link or from before the sign-in. Only this tab keeps it, not the server's logs. */
export function keepInvitation(hash: string, storage: Storage = sessionStorage): string | null {
  const token = tokenIn(hash);
  if (token === null) return storage.getItem(KEY);
  storage.setItem(KEY, token);
  return token;
}

/** Forgets the token after it is used. */
export function forgetInvitation(storage: Storage = sessionStorage): void {
  storage.removeItem(KEY);
}

/** The token behind the `#` of an email's link; null if there is none. */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? null : token;
}
