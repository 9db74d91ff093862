import { hash } from "node:crypto";
import type { Limits } from "#libs/limits/index.ts";

const DAY_MS = 86_400_000;
const HEX_DIGITS = 16;

/** How a visitor is known for a day: nobody can get back to the address or the user agent once the salt is gone. */
export interface Visitor {
  /** Keyed hash of the address alone, 16 hex digits. */
  readonly address: string;
  /** Keyed hash of address and user agent, 16 hex digits. */
  readonly visitor: string;
}

/** Gives the salt of the UTC day of `now`, asked for once a day. Rejects when there is none to be had. */
export function createSalts(limits: Pick<Limits, "visitorSalt">): (now: number) => Promise<string> {
  let dayNumber = Number.NaN;
  let salt: Promise<string> = Promise.reject(new Error("no day yet"));
  salt.catch(() => {});

  return (now) => {
    const asked = Math.floor(now / DAY_MS);
    if (asked === dayNumber) return salt;
    dayNumber = asked;
    const fresh = limits.visitorSalt(new Date(now).toISOString().slice(0, 10));
    salt = fresh;
    fresh.catch(() => {
      if (salt === fresh) dayNumber = Number.NaN;
    });
    return fresh;
  };
}

/** The visitor behind an address and a user agent. Secret-prefix hashing is enough: no more than 64 bits leave it. */
export function hashVisitor(salt: string, address: string, userAgent: string): Visitor {
  return {
    address: hash("sha256", `address\n${salt}\n${address}`, "hex").slice(0, HEX_DIGITS),
    visitor: hash("sha256", `visitor\n${salt}\n${address}\n${userAgent}`, "hex").slice(0, HEX_DIGITS),
  };
}
