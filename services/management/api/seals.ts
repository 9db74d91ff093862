import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { KeyRing } from "#libs/installation/index.ts";

/** Seals of texts in addresses that the installation has given away: a text with its seal is one of those. They need no escaping. */
export interface Seals {
  of(text: string): string;
  isOf(text: string, seal: string): boolean;
}

/** Seals for one purpose, under keys of their own (HKDF, RFC 5869) from secrets of at least 32 random characters, made by the first. */
export function createSeals(secrets: KeyRing, purpose: string): Seals {
  const make = (secret: string, text: string) => {
    const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
    return createHmac("sha256", key).update(text).digest();
  };
  return {
    of: (text) => make(secrets[0], text).toString("base64url"),
    isOf(text, seal) {
      const given = Buffer.from(seal, "base64url");
      return secrets.some((secret) => {
        const expected = make(secret, text);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}
