import { expect, it } from "vitest";
import { encodeEventRow, type TrackedEvent } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { invalidityOf, splitLines } from "./event-line.ts";

const EVENT: TrackedEvent = {
  id: "evt_1",
  workspaceId: "ws_1",
  adId: "ad_1",
  kind: "click",
  verdict: "bot",
  visitor: "0123456789abcdef",
  occurredAt: Date.UTC(2026, 10, 21, 9, 30),
  source: "page",
  place: NO_PLACE,
};
const ROW: readonly unknown[] = JSON.parse(encodeEventRow(EVENT));

function rowWith(column: number, value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(ROW.with(column, value))}\n`);
}

it("finds no fault with an event row", () => {
  expect(invalidityOf(Buffer.from(encodeEventRow(EVENT)))).toBeNull();
});

it.each([
  ["not JSON", Buffer.from('["evt_1",\n')],
  ["not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ["not an array", Buffer.from("{}")],
  ["13 values instead of 14", Buffer.from(JSON.stringify(ROW.slice(1)))],
  ["event_id is not a text", rowWith(0, null)],
  ["event_id is too long", rowWith(0, "x".repeat(129))],
  ["ad_id is too long", rowWith(2, "x".repeat(129))],
  ["kind is unknown", rowWith(3, "view")],
  ["verdict is unknown", rowWith(4, 1)],
  ["visitor is too long", rowWith(5, "0123456789abcdef0")],
  ["occurred_at is not an integer", rowWith(6, "2026-11-21")],
  ["occurred_at is not an integer", rowWith(6, 1.5)],
  ["occurred_at is out of range", rowWith(6, 0)],
  ["source is unknown", rowWith(7, "carrier pigeon")],
  ["path is not a text", rowWith(9, null)],
  ["path is too long", rowWith(9, "x".repeat(801))],
  ["occurred_at is out of range", rowWith(6, Date.UTC(2100))],
])("says what is wrong with a line: %s", (fault, line) => {
  expect(invalidityOf(line)).toBe(fault);
});

it("splits rows into lines and keeps their newlines, whatever the last one ends with", () => {
  const rows = [Buffer.from("a\n\nb\n"), Buffer.from("c"), Buffer.from("")];

  const lines = splitLines(rows);

  expect(lines.map(String)).toEqual(["a\n", "b\n", "c"]);
});
