import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Bucket,
  bucketsOf,
  type Granularity,
  QUARTER_MS,
  type ReportPeriod,
  reportPeriod,
} from "./report-buckets.ts";
import { DAY_MS, dateOfDay, isoInZone, zoneNamed } from "./report-zone.ts";

const NOW = Date.UTC(2026, 10, 27, 9, 30);
const ZONES = [
  "UTC",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Pacific/Chatham",
  "Australia/Lord_Howe",
  "America/New_York",
  "America/St_Johns",
  // Their clocks skip midnight.
  "Africa/Cairo",
  "Asia/Beirut",
  "America/Santiago",
  "America/Havana",
  "Africa/Casablanca",
  "America/Nuuk",
  "Pacific/Kiritimati",
  "Etc/GMT+12",
];

function aZone(name: string) {
  const zone = zoneNamed(name);
  if (zone === null) throw new Error(`there is no ${name}`);
  return zone;
}

function aPeriod(name: string, from: string, to: string, granularity: Granularity = "day"): ReportPeriod {
  const period = reportPeriod(aZone(name), { from, to }, granularity, NOW);
  if ("at" in period) throw new Error(period.sentence);
  return period;
}

function cut(name: string, from: string, to: string, granularity: Granularity): Bucket[] {
  return bucketsOf(aZone(name), aPeriod(name, from, to, granularity), granularity);
}

/** Each bucket as its local start and its length in hours. */
function shown(name: string, buckets: readonly Bucket[]): [string, number][] {
  return buckets.map(({ start, end }) => [isoInZone(aZone(name), start), (end - start) / 3_600_000]);
}

describe("days", () => {
  it.each([
    ["America/New_York", "2026-03-08", "2026-03-08T00:00:00-05:00", 23],
    ["America/New_York", "2026-11-01", "2026-11-01T00:00:00-04:00", 25],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-05T00:00:00+11:00", 24.5],
    ["Australia/Lord_Howe", "2026-10-04", "2026-10-04T00:00:00+10:30", 23.5],
    ["Asia/Kathmandu", "2026-11-23", "2026-11-23T00:00:00+05:45", 24],
    ["Pacific/Chatham", "2026-04-05", "2026-04-05T00:00:00+13:45", 25],
    ["Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00", 23],
    ["Asia/Beirut", "2026-03-29", "2026-03-29T01:00:00+03:00", 23],
    // The clocks go back from midnight to 23:00 of the same day.
    ["America/Santiago", "2026-04-04", "2026-04-04T00:00:00-03:00", 25],
    ["America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00", 23],
  ])("in %s %s begins at %s and has %d hours", (zone, date, start, hours) => {
    expect(shown(zone, cut(zone, date, date, "day"))).toEqual([[start, hours]]);
  });

  it("have one bucket each over leap days and years' ends", () => {
    expect(
      cut("Asia/Kolkata", "2023-12-30", "2024-03-01", "day").map(({ localStart }) => localStart),
    ).toEqual(Array.from({ length: 63 }, (_, n) => Date.UTC(2023, 11, 30) + n * DAY_MS));
  });
});

describe("weeks and months", () => {
  it("begin on Mondays and on the first, and are cut by the period", () => {
    expect(shown("UTC", cut("UTC", "2026-12-30", "2027-01-06", "week"))).toEqual([
      ["2026-12-30T00:00:00+00:00", 5 * 24],
      ["2027-01-04T00:00:00+00:00", 3 * 24],
    ]);
    expect(shown("America/New_York", cut("America/New_York", "2026-10-15", "2026-11-30", "month"))).toEqual([
      ["2026-10-15T00:00:00-04:00", 17 * 24],
      ["2026-11-01T00:00:00-04:00", 30 * 24 + 1],
    ]);
  });
});

describe("hours", () => {
  it("are two where the clocks repeat them, none where they skip them", () => {
    const back = shown("America/New_York", cut("America/New_York", "2026-11-01", "2026-11-01", "hour"));
    const forward = shown("America/New_York", cut("America/New_York", "2026-03-08", "2026-03-08", "hour"));

    expect(back).toHaveLength(25);
    expect(back.slice(1, 3)).toEqual([
      ["2026-11-01T01:00:00-04:00", 1],
      ["2026-11-01T01:00:00-05:00", 1],
    ]);
    expect(forward).toHaveLength(23);
    expect(forward.slice(1, 3)).toEqual([
      ["2026-03-08T01:00:00-05:00", 1],
      ["2026-03-08T03:00:00-04:00", 1],
    ]);
  });

  it("begin at the local hour, and at a change of half an hour", () => {
    expect(shown("Asia/Kathmandu", cut("Asia/Kathmandu", "2026-11-23", "2026-11-23", "hour"))[1]).toEqual([
      "2026-11-23T01:00:00+05:45",
      1,
    ]);
    const lordHowe = cut("Australia/Lord_Howe", "2026-04-05", "2026-04-05", "hour");
    expect(shown("Australia/Lord_Howe", lordHowe).slice(1, 4)).toEqual([
      ["2026-04-05T01:00:00+11:00", 1],
      ["2026-04-05T01:30:00+10:30", 0.5],
      ["2026-04-05T02:00:00+10:30", 1],
    ]);
  });

  it("have four quarters", () => {
    expect(cut("Asia/Kathmandu", "2026-11-23", "2026-11-24", "quarter-hour")).toHaveLength(2 * 96);
  });
});

describe("periods", () => {
  it("end today and have 30 days by default, in the zone", () => {
    const midnight = Date.UTC(2026, 10, 26, 18, 15);
    const kathmandu = aZone("Asia/Kathmandu");
    const datesAt = (now: number) => {
      const period = reportPeriod(kathmandu, {}, "none", now);
      return "at" in period ? period : [dateOfDay(period.from), dateOfDay(period.to)];
    };

    expect(datesAt(midnight - 1)).toEqual(["2026-10-28", "2026-11-26"]);
    expect(datesAt(midnight)).toEqual(["2026-10-29", "2026-11-27"]);
  });

  it.each([
    [{ from: "2026-11-28", to: "2026-11-27" }, "day", "to"],
    [{ from: "2026-11-28" }, "day", "to"],
    [{ from: "2026-02-29" }, "day", "from"],
    [{ to: "2026-2-3" }, "day", "to"],
    [{ from: "2019-12-31", to: "2020-01-01" }, "day", "from"],
    [{ from: "2099-12-01", to: "2100-01-01" }, "day", "to"],
    [{ from: "2023-11-27", to: "2026-11-27" }, "none", "from"],
    [{ from: "2026-10-01", to: "2026-11-01" }, "hour", "granularity"],
    [{ from: "2026-10-01", to: "2026-11-01" }, "quarter-hour", "granularity"],
  ] as const)("refuse %j by %s at %s", (dates, granularity, at) => {
    expect(reportPeriod(aZone("UTC"), dates, granularity, NOW)).toMatchObject({ at });
  });

  it("take three years, and 31 days by hour", () => {
    expect(cut("UTC", "2023-11-28", "2026-11-27", "day")).toHaveLength(1_096);
    expect(cut("UTC", "2026-10-01", "2026-10-31", "hour")).toHaveLength(31 * 24);
  });
});

describe("any period in any zone", () => {
  const zones = fc.oneof(
    fc.constantFrom(...ZONES),
    fc.constantFrom(...Intl.supportedValuesOf("timeZone").filter((zone) => !zone.startsWith("Antarctica/"))),
  );
  const periods = fc
    .record({
      zone: zones,
      granularity: fc.constantFrom<Granularity>("quarter-hour", "hour", "day", "week", "month", "none"),
      first: fc.integer({ min: Date.UTC(2020, 0, 1) / DAY_MS, max: Date.UTC(2031, 0, 1) / DAY_MS }),
      days: fc.integer({ min: 1, max: 31 }),
    })
    .map(({ zone, granularity, first, days }) => ({
      zone,
      granularity,
      from: dateOfDay(first),
      to: dateOfDay(first + days - 1),
    }));

  it("has buckets that begin on a quarter of an hour, one behind the other, from its start to its end", () => {
    fc.assert(
      fc.property(periods, ({ zone, granularity, from, to }) => {
        const { start, end } = aPeriod(zone, from, to, granularity);
        const buckets = cut(zone, from, to, granularity);

        expect(buckets[0]?.start).toBe(start);
        expect(buckets.at(-1)?.end).toBe(end);
        for (const [n, bucket] of buckets.entries()) {
          expect(bucket.start % QUARTER_MS).toBe(0);
          expect(bucket.end).toBeGreaterThan(bucket.start);
          expect(bucket.end).toBe(buckets[n + 1]?.start ?? end);
        }
      }),
    );
  });

  it("counts single events as their own local date and hour tell", () => {
    const events = fc.array(fc.double({ min: -0.2, max: 1.2, noNaN: true }), {
      minLength: 50,
      maxLength: 50,
    });
    fc.assert(
      fc.property(periods, events, ({ zone, granularity, from, to }, places) => {
        const { start, end } = aPeriod(zone, from, to, granularity);
        const instants = places.map((place) => Math.floor(start + place * (end - start)));
        const keyOf = keyIn(zone, granularity, from);

        const counted = cut(zone, from, to, granularity)
          .map((bucket) => ({ bucket, in: instants.filter((at) => at >= bucket.start && at < bucket.end) }))
          .filter((one) => one.in.length > 0)
          .map((one) => [keyOf(one.bucket.start), one.in.length]);

        const expected = new Map<string, number>();
        for (const at of instants.toSorted((a, b) => a - b)) {
          const date = dateIn(zone, at);
          if (date < from || date > to) continue;
          const key = keyOf(at);
          expected.set(key, (expected.get(key) ?? 0) + 1);
        }
        expect(counted).toEqual([...expected]);
      }),
    );
  });
});

/** The local date of an instant, in another way than the code under test. */
function dateIn(timeZone: string, instant: number): string {
  return new Date(instant).toLocaleDateString("sv-SE", { timeZone });
}

/** What tells the bucket of an instant, from its own local date and time. */
function keyIn(timeZone: string, granularity: Granularity, from: string): (instant: number) => string {
  const time = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "longOffset",
  });
  return (instant) => {
    const date = dateIn(timeZone, instant);
    if (granularity === "none") return "all";
    if (granularity === "day") return date;
    if (granularity === "month") return date.slice(0, 7);
    if (granularity === "week") {
      const noon = new Date(`${date}T12:00:00Z`);
      noon.setUTCDate(noon.getUTCDate() - ((noon.getUTCDay() + 6) % 7));
      const monday = noon.toISOString().slice(0, 10);
      return monday < from ? from : monday;
    }
    const [clock = "", offset] = time.format(instant).split(" ");
    const [hour, minute] = clock.split(":");
    const quarter = granularity === "hour" ? "" : Math.floor(Number(minute) / 15);
    return `${date} ${hour} ${quarter} ${offset}`;
  };
}
