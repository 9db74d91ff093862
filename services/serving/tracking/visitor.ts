import { hash } from "node:crypto";
import type { AddressKey } from "#libs/http/index.ts";
import type { VisitorSalts } from "./visitor-salts.ts";

const DAY_MS = 86_400_000;
const HEX_DIGITS = 16;

/** Identifies a visitor for a day. Without the salt, neither address nor user agent can be recovered. */
export interface Visitor {
  /** Keyed hash of the address, or of its /64 network, alone, 16 hex digits. */
  readonly address: string;
  /** Keyed hash of address and user agent, 16 hex digits. */
  readonly visitor: string;
}

/** Hashes with the salt of one day. */
export type IdentifyVisitor = (address: AddressKey, userAgent: string) => Visitor;

/**
 * Creates the function that returns the hashing of `now`'s UTC day. It asks for the salt each time, as processes may have to
 * agree on another one during the day.
 */
export function createVisitors(salts: Pick<VisitorSalts, "of">): (now: number) => Promise<IdentifyVisitor> {
  let dayNumber = Number.NaN;
  let day = "";

  return async (now) => {
    if (Math.floor(now / DAY_MS) !== dayNumber) {
      dayNumber = Math.floor(now / DAY_MS);
      day = new Date(now).toISOString().slice(0, 10);
    }
    const salt = await salts.of(day);
    return (address, userAgent) => hashVisitor(salt, address, userAgent);
  };
}

/** Hashing with a secret prefix is enough: no more than 64 bits of the hash are used. */
export function hashVisitor(salt: string, address: AddressKey, userAgent: string): Visitor {
  return {
    address: hash("sha256", `address\n${salt}\n${address}`, "hex").slice(0, HEX_DIGITS),
    visitor: hash("sha256", `visitor\n${salt}\n${address}\n${userAgent}`, "hex").slice(0, HEX_DIGITS),
  };
}
