import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Judgement } from "#libs/judge/index.ts";

const CODES: readonly Judgement[] = ["fresh", "duplicate", "limited"];
/** Two bits each. */
const CODES_IN_A_BYTE = 4;

/** Judgements, two bits each, deflated. */
export function encodeJudgements(judgements: readonly Judgement[]): Buffer {
  const bytes = new Uint8Array(Math.ceil(judgements.length / CODES_IN_A_BYTE));
  for (const [at, judgement] of judgements.entries()) {
    const byte = Math.floor(at / CODES_IN_A_BYTE);
    bytes[byte] = (bytes[byte] ?? 0) | (CODES.indexOf(judgement) << (2 * (at % CODES_IN_A_BYTE)));
  }
  return deflateRawSync(bytes);
}

/** As many judgements as there are events. */
export function decodeJudgements(encoded: Uint8Array, events: number): Judgement[] {
  const bytes = inflateRawSync(encoded);
  return Array.from({ length: events }, (_, at) => {
    const code = ((bytes[Math.floor(at / CODES_IN_A_BYTE)] ?? 0) >> (2 * (at % CODES_IN_A_BYTE))) & 3;
    return CODES[code] ?? "fresh";
  });
}
