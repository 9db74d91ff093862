import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** What a key may do: an API key manages, a tracking key reports events and may do nothing else. */
export type KeyKind = "api" | "tracking";
const BEGINNINGS: Readonly<Record<KeyKind, string>> = { api: "plc_", tracking: "plt_" };
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** The beginning and 8 characters: enough to tell keys apart, while 24 characters (142 bits) stay secret. */
const SHOWN_LENGTH = 12;
/** Bytes from here on are thrown away: 62 does not divide 256, and a remainder would favour some characters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/**
 * The form of a key: `plc_` or `plt_`, 32 random base62 characters, and a CRC32 as 6 base62 characters, most significant
 * first, padded with `0`: of those 32, with `plt_` in front of them in a tracking key. Secret scanners search for `\bpl[ct]_[0-9A-Za-z]{38}\b` and prove a hit by the checksum.
 */
export const API_KEY = /^plc_[0-9A-Za-z]{38}$/;
export const TRACKING_KEY = /^plt_[0-9A-Za-z]{38}$/;

export interface NewKey {
  /** The whole key; it is shown once and stored nowhere. */
  readonly key: string;
  /** The first 12 characters, for lists. */
  readonly prefix: string;
  /** SHA-256 of the key, 32 bytes. Only this is stored. */
  readonly hash: Buffer;
}

/** A key that somebody presents: of the right form, but perhaps of nobody. */
export interface PresentedKey<Kind extends KeyKind = KeyKind> {
  readonly kind: Kind;
  /** SHA-256 of the whole key. A key is too random to be guessed, so that no slow hash is needed. */
  readonly hash: Buffer;
}

/** A new secret key of 190 random bits. */
export function newKey(kind: KeyKind): NewKey {
  const random = randomText(RANDOM_LENGTH);
  const key = `${BEGINNINGS[kind]}${random}${checksumOf(kind, random)}`;
  return { key, prefix: key.slice(0, SHOWN_LENGTH), hash: hashKey(key) };
}

/**
 * Reads a key; null for a text without its form, or whose checksum does not fit. Any one mistyped character, and any two
 * swapped neighbours of the random part, make it null, so that such a key is refused without a look-up.
 */
export function readKey(text: string): PresentedKey<"api"> | PresentedKey<"tracking"> | null {
  if (API_KEY.test(text)) return fits("api", text) ? { kind: "api", hash: hashKey(text) } : null;
  if (TRACKING_KEY.test(text))
    return fits("tracking", text) ? { kind: "tracking", hash: hashKey(text) } : null;
  return null;
}

function fits(kind: KeyKind, key: string): boolean {
  return key.endsWith(checksumOf(kind, key.slice(BEGINNINGS[kind].length, -CHECKSUM_LENGTH)));
}

function hashKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BELOW && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}

/** The checksum of a tracking key also covers its beginning, so that a mistyped letter there makes no key of the other kind. */
function checksumOf(kind: KeyKind, random: string): string {
  let rest = crc32(kind === "tracking" ? `${BEGINNINGS.tracking}${random}` : random);
  let text = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
