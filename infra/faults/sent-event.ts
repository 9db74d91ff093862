import type { EventKind } from "#libs/domain/event.ts";
import { hashesWith } from "../../services/serving/verdict/visitor.ts";

const MOST = 2 ** 24;
const CLICK_EVERY = 11;
const USER_AGENTS = ["128.0", "133.0", "140.0", "145.0"].map(
  (version) => `Mozilla/5.0 (X11; Linux x86_64; rv:${version}) Gecko/20100101 Firefox/${version}`,
);

/** What the request number so-and-so reports. All of it follows from the number, so nothing else has to be kept. */
export interface SentEvent {
  readonly adId: string;
  readonly kind: EventKind;
  readonly address: string;
  readonly userAgent: string;
}

/**
 * Each request is of a visitor of its own, since the visitor is the one thing that a caller determines and that can be
 * found in the store again: `success: true` does not contain the event's id.
 */
export function sentEvent(number: number, adIds: readonly string[]): SentEvent {
  if (number < 0 || number >= MOST) throw new RangeError(`there is no event ${number}`);
  return {
    adId: adIds[number % adIds.length] ?? "",
    kind: number % CLICK_EVERY === 0 ? "click" : "impression",
    address: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
    userAgent: USER_AGENTS[number % USER_AGENTS.length] ?? "",
  };
}

/** The visitor of the request as stored, for a day with that salt. */
export function visitorOf(number: number, salt: string): string {
  const { address, userAgent } = sentEvent(number, [""]);
  return hashesWith(salt).ofVisitor(`net ${address}`, userAgent);
}
