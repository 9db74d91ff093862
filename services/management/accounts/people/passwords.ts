import { hashPassword, verifyPassword } from "better-auth/crypto";
import { BoundedQueue } from "#libs/async/index.ts";
import { unavailable } from "#libs/http/index.ts";

/**
 * A hash takes a tenth of a second of CPU and 32 MiB on purpose, in one of the four threads that also read files, decompress
 * bodies and compress answers: two of them stay free.
 */
const AT_ONCE = 2;
/** The last of them waits some three seconds. */
const MOST_WAITING = 50;
export const RETRY_AFTER_MS = 3_000;
/** The hashes that may be under way, at work or waiting. */
export const HASHES_UNDER_WAY = AT_ONCE + MOST_WAITING;

/** Hashes and checks passwords. Both throw `HttpError` 503 where too many wait already. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(kept: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/** better-auth's scrypt. */
export const SCRYPT: Passwords = { hash: hashPassword, verify: verifyPassword };

/** The passwords of a process: two hashes at a time and 50 waiting, whatever they are for. */
export function inTurn(passwords: Passwords): Passwords {
  const queue = new BoundedQueue({
    atOnce: AT_ONCE,
    limit: { mostWaiting: MOST_WAITING, refusal: () => unavailable(RETRY_AFTER_MS) },
  });
  return {
    hash: (password) => queue.run(() => passwords.hash(password)),
    verify: (kept) => queue.run(() => passwords.verify(kept)),
  };
}
