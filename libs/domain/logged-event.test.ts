import fc from "fast-check";
import { expect, it } from "vitest";
import { EVENT_KINDS, EVENT_SOURCES, encodeEventRow, VERDICTS } from "./event.ts";
import { newId } from "./ids.ts";
import { encodeLoggedEvent, type LoggedEvent, readLoggedLine, rowOf } from "./logged-event.ts";
import { DUPLICATE_WINDOWS_MS } from "./tracking-limits.ts";

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
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
});

it("reads every line that it writes, and makes the row of it", () => {
  fc.assert(
    fc.property(anEvent, fc.constantFrom(...VERDICTS), (event, verdict) => {
      const line = readLoggedLine(encodeLoggedEvent(event).trimEnd());

      expect(line).toMatchObject(event);
      expect(line && rowOf(line, verdict, event.source)).toBe(encodeEventRow({ ...event, verdict }));
    }),
  );
});

it("ignores values that a later release adds", () => {
  fc.assert(
    fc.property(anEvent, (event) => {
      const later = encodeLoggedEvent(event).replace(/\]\n$/, ',"de","mobile",{"a":1}]');

      expect(readLoggedLine(later)).toMatchObject(event);
    }),
  );
});

it("reads lines of an earlier release without a source", () => {
  fc.assert(
    fc.property(anEvent, (event) => {
      const line = encodeLoggedEvent(event).replace(/,"\w+"\]\n$/, "]");

      expect(readLoggedLine(line)).toMatchObject({ ...event, source: "unknown" });
    }),
  );
});

it("reads rows that an earlier release logged, with no limit and the usual window, and gives them back", () => {
  fc.assert(
    fc.property(anEvent, (event) => {
      const row = encodeEventRow(event).replace(/,"\w+"\]\n$/, "]");

      const line = readLoggedLine(row);

      expect(line).toMatchObject({
        ...event,
        limitKey: "",
        limit: 0,
        windowMs: DUPLICATE_WINDOWS_MS[event.kind],
        privateKeys: "",
        source: "unknown",
      });
      expect(line && rowOf(line, event.verdict, "")).toBe(row.replace(/\]$/, ',""]\n'));
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
