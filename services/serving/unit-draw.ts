import { createHmac, hash } from "node:crypto";

/** 128 bits that stand for one rotation: the key, the window, the workspace and the filters. */
export type Seed = readonly [number, number, number, number];

/** 64 bits that stand for an ad's id, computed once for a snapshot. */
export interface IdHash {
  readonly high: number;
  readonly low: number;
}

/** Seeds a rotation. `parts` are told apart by a line break, so none of them may contain one. */
export function createSeed(secret: string, parts: readonly (string | number)[]): Seed {
  const digest = createHmac("sha256", secret).update(parts.join("\n")).digest();
  return [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)];
}

export function hashId(id: string): IdHash {
  const digest = hash("sha256", id, "buffer");
  return { high: digest.readInt32LE(0), low: digest.readInt32LE(4) };
}

/**
 * A number evenly spread over the open interval (0, 1), the same for the same seed and id in every process. Cheap,
 * because a large workspace draws thousands at once: the expensive hashing has gone into the two arguments.
 */
export function drawUnit(seed: Seed, id: IdHash): number {
  const a = mix(seed[0] ^ id.high);
  const b = mix(seed[1] ^ id.low ^ a);
  const high = mix(seed[2] ^ a ^ Math.imul(b, 0x9e3779b1));
  const low = mix(seed[3] ^ b ^ Math.imul(high, 0x85ebca77));
  // 52 bits and a half: exact as a double, and neither end of the interval is ever reached.
  return ((high >>> 6) * 0x4000000 + (low >>> 6) + 0.5) * 2 ** -52;
}

/** A bijection of 32 bits in which each input bit flips each output bit about half of the time ("lowbias32"). */
function mix(word: number): number {
  let x = word ^ (word >>> 16);
  x = Math.imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = Math.imul(x, 0x735a2d97);
  return x ^ (x >>> 15);
}
