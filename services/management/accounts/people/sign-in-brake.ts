import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { type AddressKey, tooManyRequests } from "#libs/http/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";

/** Wrong passwords for one account, from all callers together, before each further attempt waits. */
const FAILURES: RateRule = { name: "sign-in-failures", points: 30, durationSeconds: 3_600 };
/** Slows guessing to 4 attempts per second, without locking out anyone who knows the password. */
const DELAY_MS = 5_000;
/** Attempts that may wait at the same time. One address waits once per account. */
const MOST_WAITING = { account: 20, all: 1_000 } as const;
const MOST_ACCOUNTS = 50_000;
/** Pairs of an account and an address that signed in to it. */
const MOST_KNOWN = 50_000;

/** Slows down guessing of one account's password from many addresses. */
export interface SignInBrake {
  /**
   * Resolves when the attempt may proceed: immediately, or after 5 s if the account had 30 failures within an hour or has 30
   * attempts running in this process. The caller then calls `finish`. Throws `HttpError` 429 if too many attempts for the
   * account are waiting, or one from the same address is. An address that last gave the right password does not wait, so
   * strangers who take all places cannot keep its person out.
   */
  admit(email: string, address: AddressKey): Promise<void>;
  /** Ends an attempt that was admitted, whatever its outcome. */
  finish(email: string): void;
  /** Remembers, until this process ends, that the address gave the right password. */
  succeed(email: string, address: AddressKey): void;
  /** Counts a wrong password. Unknown accounts count too, so that the delay does not reveal which exist. */
  fail(email: string, address: AddressKey): Promise<void>;
}

/**
 * Counts failures over the whole installation. A process learns that an account is over the limit only from its own next
 * failure, so each process lets one more guess through.
 */
export function createSignInBrake(limits: Pick<Limits, "consume">): SignInBrake {
  /** When the hour of an account over the limit ends, in milliseconds since the epoch. */
  const slowedUntil = new LRUCache<string, number>({ max: MOST_ACCOUNTS });
  const known = new LRUCache<string, true>({ max: MOST_KNOWN });
  const waiting = new Map<string, Set<AddressKey>>();
  let waitingInAll = 0;
  /** Running attempts per account: concurrent guesses would otherwise all precede the first failure. */
  const underWay = new Map<string, number>();

  async function waitInLine(account: string, address: AddressKey): Promise<void> {
    const addresses = waiting.get(account) ?? new Set();
    const isFull = addresses.size >= MOST_WAITING.account || waitingInAll >= MOST_WAITING.all;
    if (isFull || addresses.has(address)) throw tooManyRequests(DELAY_MS);
    waiting.set(account, addresses.add(address));
    waitingInAll += 1;
    try {
      await wait(DELAY_MS);
    } finally {
      waitingInAll -= 1;
      addresses.delete(address);
      if (addresses.size === 0) waiting.delete(account);
    }
  }

  return {
    async admit(email, address) {
      const account = nameOf(email);
      const isSlowed =
        (slowedUntil.get(account) ?? 0) > Date.now() || (underWay.get(account) ?? 0) >= FAILURES.points;
      if (isSlowed && !known.has(`${account} ${address}`)) await waitInLine(account, address);
      underWay.set(account, (underWay.get(account) ?? 0) + 1);
    },

    finish(email) {
      const account = nameOf(email);
      const others = (underWay.get(account) ?? 0) - 1;
      if (others > 0) underWay.set(account, others);
      else underWay.delete(account);
    },

    succeed(email, address) {
      known.set(`${nameOf(email)} ${address}`, true);
    },

    async fail(email, address) {
      const account = nameOf(email);
      known.delete(`${account} ${address}`);
      const rate = await limits.consume(FAILURES, account);
      if (rate.remaining === 0 && rate.limit > 0) slowedUntil.set(account, Date.now() + rate.resetMs);
    },
  };
}

/** Hashed, so that neither memory nor Redis holds email addresses. */
function nameOf(email: string): string {
  return hash("sha256", email.trim().toLowerCase(), "base64url");
}
