import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { API_KEY, newKey, readKey, TRACKING_KEY } from "./api-key.ts";

const someKey = fc.constant(null).map(() => newKey("api").key);
const place = fc.nat(41);

it("makes keys of the documented form that all differ, with their beginning and hash", () => {
  const keys = Array.from({ length: 200 }, () => newKey("api"));

  expect(new Set(keys.map(({ key }) => key)).size).toBe(200);
  for (const { key, prefix, hash } of keys) {
    expect(key).toMatch(API_KEY);
    expect(prefix).toBe(key.slice(0, 12));
    expect(hash).toEqual(createHash("sha256").update(key).digest());
    expect(readKey(key)).toEqual({ kind: "api", hash });
  }
});

it("takes no key of one kind for one of the other", () => {
  const { key, prefix, hash } = newKey("tracking");

  expect(key).toMatch(TRACKING_KEY);
  expect(prefix).toBe(key.slice(0, 12));
  expect(readKey(key)).toEqual({ kind: "tracking", hash });
  expect(readKey(key.replace("plt_", "plc_"))).toBeNull();
  expect(readKey(newKey("api").key.replace("plc_", "plt_"))).toBeNull();
});

it("ends with the CRC32 of the random part, worked out here bit by bit", () => {
  const random = "0".repeat(32);
  let crc = 0xffffffff;
  for (const character of random) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = BigInt((crc ^ 0xffffffff) >>> 0);
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const checksum = Array.from({ length: 6 }, () => {
    const digit = digits.charAt(Number(rest % 62n));
    rest /= 62n;
    return digit;
  }).reverse();

  expect(readKey(`plc_${random}${checksum.join("")}`)).not.toBeNull();
});

it("catches any one mistyped character", () => {
  fc.assert(
    fc.property(someKey, place, fc.string({ minLength: 1, maxLength: 1 }), (key, at, typed) => {
      fc.pre(key[at] !== typed);

      expect(readKey(key.slice(0, at) + typed + key.slice(at + 1))).toBeNull();
    }),
    { numRuns: 5_000 },
  );
});

it("catches swapped neighbours, a lost and a doubled character", () => {
  fc.assert(
    fc.property(someKey, place, (key, at) => {
      const [one = "", next = ""] = [key[at], key[at + 1]];
      const swapped = key.slice(0, at) + next + one + key.slice(at + 2);

      // Between the random part and its checksum the swap changes both, which may fit once in four billion times.
      if (one !== next && at !== 35 && at !== 41) expect(readKey(swapped)).toBeNull();
      expect(readKey(key.slice(0, at) + key.slice(at + 1))).toBeNull();
      expect(readKey(key.slice(0, at) + one + key.slice(at))).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

it("takes hostile text for no key", () => {
  for (const text of [
    "",
    "plc_",
    `${newKey("api").key}\n`,
    ` ${newKey("api").key}`,
    "plc_\ud800".padEnd(42, "0"),
    "x".repeat(1e6),
  ]) {
    expect(readKey(text)).toBeNull();
  }
});

it("draws every character equally often at every place", () => {
  const keys = Array.from({ length: 3_000 }, () => newKey("api").key.slice(4, 36)).join("");
  const counts = new Map<string, number>();
  for (const character of keys) counts.set(character, (counts.get(character) ?? 0) + 1);

  const expected = keys.length / 62;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);

  expect(counts.size).toBe(62);
  // 61 degrees of freedom: by chance above 140 less than once in ten million runs.
  expect(chiSquare).toBeLessThan(140);
});
