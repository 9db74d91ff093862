import fc from "fast-check";
import { expect, it } from "vitest";
import { EVENT_KINDS, EVENT_SOURCES, encodeEventRow, VERDICTS } from "./event.ts";
import { DEVICES, type EventPlace, encodePlace, NO_PLACE, PLACE_COLUMNS } from "./event-place.ts";
import { newId } from "./ids.ts";
import { encodeLoggedEvent, type LoggedEvent, readLoggedLine, rowOf } from "./logged-event.ts";
import { DUPLICATE_WINDOWS_MS } from "./tracking-limits.ts";

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
/** Any text, also quotes, brackets, control characters, emoji and half an emoji. */
const aText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom('"]', "\\", "]", "\n", "\u{1f600}]", "\ud83d"),
);
const aPlace: fc.Arbitrary<EventPlace> = fc.record({
  placement: aText,
  path: aText,
  referrer: aText,
  country: fc.constantFrom("", "DE"),
  device: fc.constantFrom(...DEVICES),
  browser: aText,
});
const anEvent: fc.Arbitrary<LoggedEvent> = fc.record({
  id: fc.constantFrom("evt_1", newId("event")),
  workspaceId: fc.constantFrom("ws_1", newId("workspace")),
  adId: fc.constantFrom("ad_1", newId("ad")),
  kind: fc.constantFrom(...EVENT_KINDS),
  verdict: fc.constantFrom(...VERDICTS),
  visitor: fc.oneof(fc.constant(""), hex(16)),
  occurredAt: fc.integer({ min: Date.UTC(2020), max: Date.UTC(2100) - 1 }),
  limitKey: fc.oneof(fc.constant(""), hex(16)),
  limit: fc.nat(100_000),
  windowMs: fc.constantFrom(0, 2_000, 10_000),
  privateKeys: fc.oneof(fc.constant(""), hex(32)),
  source: fc.constantFrom(...EVENT_SOURCES),
  place: fc.oneof(fc.constant(NO_PLACE), aPlace),
});

/** The texts that a place has in a line. */
const PLACE = /(?:,"[^"]*"){6}\]\n$/;

it("reads every line that it writes, and makes the row of it", () => {
  fc.assert(
    fc.property(anEvent, fc.constantFrom(...VERDICTS), (event, verdict) => {
      const { place: _, ...judged } = event;

      const line = readLoggedLine(encodeLoggedEvent(event).trimEnd());

      expect(line).toMatchObject(judged);
      expect(line && rowOf(line, verdict, "whole")).toBe(encodeEventRow({ ...event, verdict }));
    }),
  );
});

it("writes a place in ASCII that JSON readers give back, half an emoji replaced and control characters left out", () => {
  fc.assert(
    fc.property(aPlace, (place) => {
      const text = encodePlace(place);

      expect(text).toMatch(/^[ -~]*$/);
      expect(JSON.parse(`[${text}]`)).toEqual(
        PLACE_COLUMNS.map((column) => place[column].toWellFormed().replace(/\p{Cc}/gu, "")),
      );
    }),
  );
});

it("ignores values that a later release adds", () => {
  fc.assert(
    fc.property(anEvent, (event) => {
      const later = encodeLoggedEvent(event).replace(/\]\n$/, ',"de","mobile",{"a":1}]');

      const line = readLoggedLine(later);

      expect(line && rowOf(line, event.verdict, "whole")).toBe(encodeEventRow(event));
    }),
  );
});

it("reads lines of an earlier release without a place", () => {
  fc.assert(
    fc.property(anEvent, (event) => {
      const line = readLoggedLine(encodeLoggedEvent(event).replace(PLACE, "]"));

      expect(line && rowOf(line, event.verdict, "whole")).toBe(encodeEventRow({ ...event, place: NO_PLACE }));
    }),
  );
});

it("reads lines of an earlier release without a source", () => {
  fc.assert(
    fc.property(anEvent, (event) => {
      const line = readLoggedLine(
        encodeLoggedEvent(event)
          .replace(PLACE, "]")
          .replace(/,"\w+"\]$/, "]"),
      );

      expect(line && rowOf(line, event.verdict, "whole")).toBe(
        encodeEventRow({ ...event, source: "unknown", place: NO_PLACE }),
      );
    }),
  );
});

it("makes rows as earlier releases insert them", () => {
  fc.assert(
    fc.property(anEvent, (event) => {
      const line = readLoggedLine(encodeLoggedEvent(event).trimEnd());
      const row = encodeEventRow(event).replace(PLACE, ',"","","","","",""]\n');

      expect(line && rowOf(line, event.verdict, "without place")).toBe(row);
      expect(line && rowOf(line, event.verdict, "without source")).toBe(
        row.replace(`"${event.source}","","","","","",""]`, '"","","","","","",""]'),
      );
    }),
  );
});

it("reads rows that an earlier release logged, with no limit and the usual window, and gives them back", () => {
  fc.assert(
    fc.property(anEvent, (event) => {
      const row = encodeEventRow(event)
        .replace(PLACE, "]")
        .replace(/,"\w+"\]$/, "]");
      const { place: _, ...judged } = event;

      const line = readLoggedLine(row);

      expect(line).toMatchObject({
        ...judged,
        limitKey: "",
        limit: 0,
        windowMs: DUPLICATE_WINDOWS_MS[event.kind],
        privateKeys: "",
        source: "unknown",
      });
      expect(line && rowOf(line, event.verdict, "without source")).toBe(
        row.replace(/\]$/, ',"","","","","","",""]\n'),
      );
    }),
  );
});

it("leaves lines of no event as they are", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(readLoggedLine(text)).toBeNull();
    }),
  );
});

it("reads no line that was cut off", () => {
  fc.assert(
    fc.property(anEvent, fc.nat(), (event, at) => {
      const whole = encodeLoggedEvent(event).trimEnd();

      expect(readLoggedLine(whole.slice(0, at % whole.length))).toBeNull();
    }),
  );
});
