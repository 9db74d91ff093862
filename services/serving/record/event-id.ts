import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** All pairs of digits: ten bits per lookup. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`);
const COUNTER_LIMIT = 2 ** 20;
const RANDOM_BYTES = 12;
/** Drawing random bytes for many prefixes costs as much as for one. */
const PREFIXES_PER_DRAW = 256;

/**
 * Creates `evt_` ids: TypeIDs, which are UUIDv7 in base32. The 26 digits are:
 *
 *     10 digits   milliseconds since the epoch, 48 bits
 *      4 digits   version, 12 random bits, variant, 2 random bits
 *      8 digits   40 random bits
 *      4 digits   a count, 20 bits, from a random start
 *
 * New random bits are drawn each millisecond, and the count distinguishes ids of one millisecond, so the ids of a process
 * grow and those of two processes never collide. When the clock goes back, or a count runs out, the time of the ids
 * continues from the last one.
 */
export function createEventIds(): (now: number) => string {
  let time = 0;
  let count = 0;
  let prefix = "";
  let pool = Buffer.alloc(0);

  function begin(newTime: number): void {
    time = newTime;
    if (pool.length === 0) pool = randomBytes(RANDOM_BYTES * PREFIXES_PER_DRAW);
    const random = pool.subarray(0, RANDOM_BYTES);
    pool = pool.subarray(RANDOM_BYTES);
    // The upper half of the range is left to count in.
    count = random.readUInt32LE(0) % (COUNTER_LIMIT / 2);
    prefix = `evt_${encodeTime(time)}${encodeVersioned(random.readUInt16LE(4))}${encodeRandom(random.subarray(6, 11))}`;
  }

  return (now) => {
    if (now > time) begin(now);
    else if (count === COUNTER_LIMIT - 1) begin(time + 1);
    else count += 1;
    return `${prefix}${PAIRS[count >> 10]}${PAIRS[count & 1023]}`;
  };
}

function encodeTime(time: number): string {
  let text = "";
  for (let rest = time, pair = 0; pair < 5; pair += 1, rest = Math.floor(rest / 1024)) {
    text = `${PAIRS[rest % 1024]}${text}`;
  }
  return text;
}

/** Version 7, 12 bits, variant 2, 2 bits: 20 bits in all. */
function encodeVersioned(random: number): string {
  const bits = (7 << 16) | ((random & 0xfff) << 4) | (2 << 2) | ((random >> 12) & 3);
  return `${PAIRS[bits >> 10]}${PAIRS[bits & 1023]}`;
}

function encodeRandom(bytes: Buffer): string {
  let text = "";
  for (let rest = bytes.readUIntLE(0, 5), pair = 0; pair < 4; pair += 1, rest = Math.floor(rest / 1024)) {
    text = `${PAIRS[rest % 1024]}${text}`;
  }
  return text;
}
