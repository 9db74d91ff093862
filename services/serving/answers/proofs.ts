import { createHmac, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { KeyRing } from "#libs/installation/index.ts";
import { WINDOW_MS, windowAt } from "./window.ts";

export interface ProofsOptions {
  /** Key the proofs. The same in every process of an installation, so that each knows the proofs of the others. */
  readonly secrets: KeyRing;
  /** How long a proof stays valid after its window, in minutes: less than two days, after which windows have the same names. */
  readonly validMinutes: number;
}

interface HandedOutAd {
  readonly id: string;
  readonly workspaceId: string;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const WINDOW_DIGITS = 2;
const WINDOWS_NAMED = DIGITS.length ** WINDOW_DIGITS;
const LENGTH = 22;
/** Other letters could share their last byte with a digit. */
const DIGITS_ALONE = /^[A-Za-z0-9_-]{22}$/;
/** Clocks of processes may differ by this many windows, in both directions. */
const SKEW = 1;
/** Proofs of the ads that are shown, for the windows whose proofs come back: some 4 MB. */
const MAX_CACHED = 20_000;
const PARAMETER = /[?&]proof=([^&#]*)/;

/**
 * Proofs that an answer handed out an ad: keyed hashes (HMAC-SHA-256) of the workspace, the ad and the window of the rotation,
 * the same for everybody in a window. Answers are the same for everybody in it anyway, and no cache keeps one beyond its
 * end, so a proof makes none of them shorter-lived; and the clock alone tells any process which windows are valid.
 *
 *     2 digits    the window, modulo 4,096, so that a proof is checked against one window
 *     20 digits   120 bits of the hash
 */
export class Proofs {
  readonly #secrets: KeyRing;
  readonly #validWindows: number;
  readonly #cached = new LRUCache<string, string>({ max: MAX_CACHED });
  readonly #given = Buffer.alloc(LENGTH);
  readonly #expected = Buffer.alloc(LENGTH);

  constructor({ secrets, validMinutes }: ProofsOptions) {
    this.#secrets = secrets;
    this.#validWindows = Math.ceil((validMinutes * 60_000) / WINDOW_MS);
  }

  /** The proof of an ad in a window: 22 digits of base64url. */
  of(ad: HandedOutAd, window: number): string {
    return this.#under(this.#secrets[0], 0, ad, window);
  }

  #under(secret: string, place: number, { id, workspaceId }: HandedOutAd, window: number): string {
    // An ad never changes its workspace.
    const key = `${place}.${window}${id}`;
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached;
    const digest = createHmac("sha256", secret)
      .update(`${workspaceId}\n${id}\n${window}`)
      .digest("base64url");
    const proof = `${nameOf(window)}${digest.slice(0, LENGTH - WINDOW_DIGITS)}`;
    this.#cached.set(key, proof);
    return proof;
  }

  /** Whether the ad was handed out with this proof shortly before `now`. Costs a hash per secret at most, whatever is given. */
  isValid(proof: string, ad: HandedOutAd, now: number): boolean {
    if (!DIGITS_ALONE.test(proof)) return false;
    const named = DIGITS.indexOf(proof.charAt(0)) * DIGITS.length + DIGITS.indexOf(proof.charAt(1));
    const current = windowAt(now) + SKEW;
    const age = (((current - named) % WINDOWS_NAMED) + WINDOWS_NAMED) % WINDOWS_NAMED;
    if (age > SKEW + this.#validWindows + SKEW) return false;
    this.#given.write(proof, "latin1");
    return this.#secrets.some((secret, place) => {
      this.#expected.write(this.#under(secret, place, ad, current - age), "latin1");
      return timingSafeEqual(this.#given, this.#expected);
    });
  }
}

/** What an address has as `proof`, as it stands there: nothing in a proof is ever encoded. Empty if it has none. */
export function proofIn(url: string): string {
  return PARAMETER.exec(url)?.[1] ?? "";
}

function nameOf(window: number): string {
  const named = window % WINDOWS_NAMED;
  return `${DIGITS.charAt(Math.floor(named / DIGITS.length))}${DIGITS.charAt(named % DIGITS.length)}`;
}
