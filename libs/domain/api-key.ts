import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BEGINNING = "plc_";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** `plc_` and 8 characters: enough to tell keys apart, while 24 characters (142 bits) stay secret. */
const SHOWN_LENGTH = 12;
/** Bytes from here on are thrown away: 62 does not divide 256, and a remainder would favour some characters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/**
 * The form of a key: `plc_`, 32 random base62 characters, and the CRC32 of those 32 as 6 base62 characters, most
 * significant first, padded with `0`. Secret scanners search for `\bplc_[0-9A-Za-z]{38}\b` and prove a hit by the checksum.
 */
export const API_KEY = /^plc_[0-9A-Za-z]{38}$/;

export interface NewApiKey {
  /** The whole key; it is shown once and stored nowhere. */
  readonly key: string;
  /** The first 12 characters, for lists. */
  readonly prefix: string;
  /** SHA-256 of the key, 32 bytes. Only this is stored. */
  readonly hash: Buffer;
}

/** A new secret key of 190 random bits. */
export function newApiKey(): NewApiKey {
  const random = randomText(RANDOM_LENGTH);
  const key = `${BEGINNING}${random}${checksumOf(random)}`;
  return { key, prefix: key.slice(0, SHOWN_LENGTH), hash: hashApiKey(key) };
}

/**
 * Whether the text has the form of a key and its checksum fits. Any one mistyped character, and any two swapped
 * neighbours of the random part, make it false, so that such a key is refused without a look-up.
 */
export function hasValidChecksum(key: string): boolean {
  if (!API_KEY.test(key)) return false;
  const random = key.slice(BEGINNING.length, -CHECKSUM_LENGTH);
  return key.endsWith(checksumOf(random));
}

/** SHA-256 of the whole key. A key is too random to be guessed, so that no slow hash is needed. */
export function hashApiKey(key: string): Buffer {
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

function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
