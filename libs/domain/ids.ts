import { typeidUnboxed } from "typeid-js";

/** Every kind of thing that has an id, with the prefix its ids carry. */
const PREFIXES = {
  workspace: "ws",
  person: "usr",
  member: "mem",
  invitation: "inv",
  apiKey: "key",
  tier: "tier",
  price: "price",
  field: "field",
  advertiser: "adv",
  subscription: "sub",
  invoice: "invoice",
  refund: "refund",
  ad: "ad",
  correction: "cor",
  auditEntry: "aud",
  event: "evt",
} as const;

export type IdKind = keyof typeof PREFIXES;

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** A new id of the kind: a TypeID (prefix and a UUIDv7 in base32), so ids sort by the time they were made. */
export function newId(kind: IdKind): string {
  return typeidUnboxed(PREFIXES[kind]);
}

/**
 * Whether the text could be an id of the kind. A malformed id is an id that does not exist, so callers answer
 * "not found" without asking the database, which would choke on a null byte or a lone surrogate.
 */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${PREFIXES[kind]}_`;
  return text.startsWith(prefix) && SUFFIX.test(text.slice(prefix.length));
}
