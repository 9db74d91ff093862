import { expect, it } from "vitest";
import { dayOfDate, firstInstantOf, isoInZone, localTimeAt, zoneNamed } from "./report-zone.ts";

function aZone(name: string) {
  const zone = zoneNamed(name);
  if (zone === null) throw new Error(`there is no ${name}`);
  return zone;
}

it.each(["Asia/Kathmandu", "asia/kathmandu", "Asia/Katmandu", "UTC", "Etc/GMT+5", "America/Port-au-Prince"])(
  "knows the zone %s",
  (name) => {
    expect(zoneNamed(name)?.name).toBe(name);
  },
);

it.each(["", "Mars/Olympus", "+05:45", "-0300", "Europe/Berlin ", "Europe", "constructor", "x".repeat(99)])(
  "knows no zone %j",
  (name) => {
    expect(zoneNamed(name)).toBeNull();
  },
);

it.each([
  ["2026-11-23T00:00:00+05:45", "Asia/Kathmandu"],
  ["2026-11-22T14:15:00-04:00", "America/Halifax"],
  ["2026-11-22T14:45:00-03:30", "America/St_Johns"],
  ["2026-11-22T18:15:00+00:00", "UTC"],
])("writes an instant as %s in %s", (written, zone) => {
  expect(isoInZone(aZone(zone), Date.UTC(2026, 10, 22, 18, 15))).toBe(written);
});

it("finds the first instant of a local time that the clocks repeat, and the change for one that they skip", () => {
  const zone = aZone("America/New_York");
  const first = (...time: [number, number, number, number, number]) =>
    isoInZone(zone, firstInstantOf(zone, Date.UTC(...time)));

  expect(first(2026, 10, 1, 0, 59)).toBe("2026-11-01T00:59:00-04:00");
  expect(first(2026, 10, 1, 1, 30)).toBe("2026-11-01T01:30:00-04:00");
  expect(first(2026, 10, 1, 2, 0)).toBe("2026-11-01T02:00:00-05:00");
  expect(first(2026, 2, 8, 1, 59)).toBe("2026-03-08T01:59:00-05:00");
  expect(first(2026, 2, 8, 2, 30)).toBe("2026-03-08T03:00:00-04:00");
  expect(first(2026, 2, 8, 3, 0)).toBe("2026-03-08T03:00:00-04:00");
});

it("keeps telling the same of many zones", () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  const tell = () =>
    Intl.supportedValuesOf("timeZone").map((name) => [name, localTimeAt(aZone(name), noon) - noon]);

  expect(tell()).toEqual(tell());
});

it.each([
  ["1970-01-02", 1],
  ["2024-02-29", 19_782],
  ["2026-02-29", null],
  ["2026-13-01", null],
  ["2026-1-1", null],
  ["2026-01-01T00:00:00Z", null],
])("reads the date %s as the day %j", (date, day) => {
  expect(dayOfDate(date)).toBe(day);
});
