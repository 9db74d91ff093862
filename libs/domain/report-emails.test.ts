import { expect, it } from "vitest";
import { periodNamed, periodsDue } from "./report-emails.ts";
import { zoneNamed } from "./report-zone.ts";

const HOUR_MS = 3_600_000;

/** The names of what becomes due in some hours of an hourly clock, with the hours. */
function dueFrom(zone: string, first: string, hours: number): string[] {
  const found = zoneNamed(zone);
  if (found === null) throw new Error(`no zone ${zone}`);
  return Array.from({ length: hours }, (_, n) => Date.parse(first) + n * HOUR_MS).flatMap((at) =>
    periodsDue(found, at).map(({ name }) => `${new Date(at).toISOString().slice(0, 16)} ${name}`),
  );
}

it.each([
  ["UTC", ["2026-11-23T06:05 2026-11-16", "2026-11-30T06:05 2026-11-23", "2026-12-01T06:05 2026-11"]],
  ["Asia/Tokyo", ["2026-11-22T21:05 2026-11-16", "2026-11-29T21:05 2026-11-23", "2026-11-30T21:05 2026-11"]],
  [
    "Asia/Kathmandu",
    ["2026-11-23T01:05 2026-11-16", "2026-11-30T01:05 2026-11-23", "2026-12-01T01:05 2026-11"],
  ],
  [
    "America/Los_Angeles",
    ["2026-11-23T14:05 2026-11-16", "2026-11-30T14:05 2026-11-23", "2026-12-01T14:05 2026-11"],
  ],
])("is due once on Monday and on the first, at six in %s", (zone, due) => {
  expect(dueFrom(zone, "2026-11-21T00:05:00Z", 11 * 24)).toEqual(due);
});

it("is due at six to the second, and no hour later", () => {
  expect(dueFrom("UTC", "2026-11-23T05:00:00Z", 3)).toEqual(["2026-11-23T06:00 2026-11-16"]);
});

it("is due once on days on which clocks change", () => {
  for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"]) {
    const year = dueFrom(zone, "2026-01-01T18:05:00Z", 365 * 24);
    const names = year.map((due) => due.split(" ")[1]);

    expect(new Set(names).size, zone).toBe(names.length);
    expect(names, zone).toHaveLength(52 + 12);
  }
});

it.each([
  ["2026-10", { kind: "month", name: "2026-10", from: "2026-10-01", to: "2026-10-31" }],
  ["2026-12", { kind: "month", name: "2026-12", from: "2026-12-01", to: "2026-12-31" }],
  ["2028-02", { kind: "month", name: "2028-02", from: "2028-02-01", to: "2028-02-29" }],
  ["2026-12-28", { kind: "week", name: "2026-12-28", from: "2026-12-28", to: "2027-01-03" }],
  ["2026-10-20", null],
  ["2026-13", null],
  ["2026", null],
])("reads %s", (name, period) => {
  expect(periodNamed(name)).toEqual(period);
});
