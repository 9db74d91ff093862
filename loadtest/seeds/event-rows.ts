import { encodeEventRow, type TrackedEvent } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { encodeLoggedEvent } from "#libs/domain/logged-event.ts";
import { DUPLICATE_WINDOWS_MS } from "#libs/domain/tracking-limits.ts";
import { seedId } from "./seed-ids.ts";

const ADS = 1_000;
const VISITORS = 100_000;
const CLICK_EVERY = 50;
const WORKSPACE = seedId("ws", 1);
/** Steps of it come to each ad and visitor once before any twice, in no visible order. */
const STRIDE = 7_919;

/** `count` event rows for a thousand ads. Ids are `evt_` and a number from `first` on. */
export function eventRows(first: number, count: number, occurredAt: number): Buffer {
  return Buffer.from(events(first, count, occurredAt).map(encodeEventRow).join(""));
}

/** The lines of the log for the same events, as serving encodes them. */
export function eventLines(first: number, count: number, occurredAt: number): Buffer {
  const lines = events(first, count, occurredAt).map((event) =>
    encodeLoggedEvent({
      ...event,
      limitKey: "",
      limit: 0,
      windowMs: DUPLICATE_WINDOWS_MS[event.kind],
      privateKeys: "",
    }),
  );
  return Buffer.from(lines.join(""));
}

function events(first: number, count: number, occurredAt: number): TrackedEvent[] {
  return Array.from({ length: count }, (_, nth) => {
    const number = first + nth;
    return {
      id: `evt_${String(number).padStart(26, "0")}`,
      workspaceId: WORKSPACE,
      adId: seedId("ad", 2_000_000 + ((number * STRIDE) % ADS)),
      kind: number % CLICK_EVERY === 0 ? "click" : "impression",
      verdict: "valid",
      visitor: ((number * STRIDE) % VISITORS).toString(16).padStart(16, "0"),
      occurredAt: occurredAt + nth,
      source: "page",
      place: NO_PLACE,
    };
  });
}
