import { hash } from "node:crypto";
import type { EventKind } from "#libs/domain/event.ts";
import type { AddressKey } from "#libs/http/index.ts";
import type { VisitorSalts } from "./visitor-salts.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HEX_DIGITS = 16;

/** What an event's keys tell apart, besides who reported it. */
export interface KeyedEvent {
  readonly adId: string;
  readonly kind: EventKind;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
}

/** Keyed hashes of a day, 16 hex digits each. Without the salt, neither address nor user agent can be recovered. */
export interface VisitorHashes {
  /** Hashes the address, or its /64 network, with ad, kind and minute: the limit holds whatever user agent is sent. */
  limitKey(address: AddressKey, event: KeyedEvent): string;
  /** Hashes address and user agent: identifies a visitor. */
  ofVisitor(address: AddressKey, userAgent: string): string;
  /** Hashes address, user agent, ad and kind with the event's window, then with the window before: identifies nobody elsewhere. */
  privateKeys(address: AddressKey, userAgent: string, event: KeyedEvent, windowMs: number): string;
}

/**
 * Creates the function that returns the hashes of `now`'s UTC day. It asks for the salt each time, as processes may have to
 * agree on another one during the day.
 */
export function createVisitors(salts: Pick<VisitorSalts, "of">): (now: number) => Promise<VisitorHashes> {
  let dayNumber = Number.NaN;
  let day = "";

  return async (now) => {
    if (Math.floor(now / DAY_MS) !== dayNumber) {
      dayNumber = Math.floor(now / DAY_MS);
      day = new Date(now).toISOString().slice(0, 10);
    }
    return hashesWith(await salts.of(day));
  };
}

/** Hashing with a secret prefix is enough: no more than 64 bits of the hash are used. */
export function hashesWith(salt: string): VisitorHashes {
  const hashed = (text: string) => hash("sha256", text, "hex").slice(0, HEX_DIGITS);
  return {
    limitKey: (address, { adId, kind, occurredAt }) =>
      hashed(`limit\n${salt}\n${address}\n${adId}\n${kind}\n${Math.floor(occurredAt / MINUTE_MS)}`),
    ofVisitor: (address, userAgent) => hashed(`visitor\n${salt}\n${address}\n${userAgent}`),
    privateKeys(address, userAgent, { adId, kind, occurredAt }, windowMs) {
      const window = Math.floor(occurredAt / windowMs);
      const keyOf = (of: number) =>
        hashed(`private\n${salt}\n${address}\n${adId}\n${kind}\n${windowMs}\n${of}\n${userAgent}`);
      return keyOf(window) + keyOf(window - 1);
    },
  };
}
