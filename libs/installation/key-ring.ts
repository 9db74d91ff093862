/**
 * A secret and those before it, which are on their way out: the first signs and encrypts, every one verifies and decrypts. So a
 * secret is exchanged without a moment in which what one process made is refused by another.
 */
export type KeyRing = readonly [string, ...string[]];

/** The ring of what is derived from each secret of a ring. */
export function deriveRing([first, ...older]: KeyRing, derive: (secret: string) => string): KeyRing {
  return [derive(first), ...older.map(derive)];
}
