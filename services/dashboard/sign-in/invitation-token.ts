import { tokenIn } from "./link-token.ts";

const KEY = "placard-invitation";

/**
 * The token of an invitation, from the link or from before somebody went to sign in. It is kept in this tab alone: in an
 * address to come back to it would be sent to the server, and stand in its logs.
 */
export function keepInvitation(hash: string, storage: Storage = sessionStorage): string | null {
  const token = tokenIn(hash);
  if (token === null) return storage.getItem(KEY);
  storage.setItem(KEY, token);
  return token;
}

/** Once it is used. */
export function forgetInvitation(storage: Storage = sessionStorage): void {
  storage.removeItem(KEY);
}
