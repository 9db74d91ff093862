import { hash } from "node:crypto";
import type { AddressKey } from "#libs/http/index.ts";
import type { VisitorSalts } from "./visitor-salts.ts";

const DAY_MS = 86_400_000;
const HEX_DIGITS = 16;

/** Keyed hashes of a day, 16 hex digits each. Without the salt, neither address nor user agent can be recovered. */
export interface VisitorHashes {
  /** Of the address, or of its /64 network, alone. */
  ofAddress(address: AddressKey): string;
  /** Of address and user agent: identifies a visitor. */
  ofVisitor(address: AddressKey, userAgent: string): string;
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
  return {
    ofAddress: (address) => hash("sha256", `address\n${salt}\n${address}`, "hex").slice(0, HEX_DIGITS),
    ofVisitor: (address, userAgent) =>
      hash("sha256", `visitor\n${salt}\n${address}\n${userAgent}`, "hex").slice(0, HEX_DIGITS),
  };
}
