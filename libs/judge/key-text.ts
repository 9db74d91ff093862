import type { MapKey } from "#libs/off-heap-map/index.ts";

const BASE = 36;
/** A pair of digits at a time: `toString` takes five times as long, and ingestion writes four keys for each event. */
const PAIR = BASE * BASE;
const leading = Array.from({ length: PAIR }, (_, number) => number.toString(BASE));
const padded = leading.map((digits) => digits.padStart(2, "0"));

/** A key as it ends in the name of a key in Redis: both halves as numbers without sign, in base 36. */
export function keyText({ high, low }: MapKey): string {
  return `${inBase36(high >>> 0)}.${inBase36(low >>> 0)}`;
}

function inBase36(number: number): string {
  let rest = number;
  let digits = "";
  while (rest >= PAIR) {
    const next = Math.floor(rest / PAIR);
    digits = `${padded[rest - next * PAIR]}${digits}`;
    rest = next;
  }
  return `${leading[rest]}${digits}`;
}
