// Local time of IANA time zones, from `Intl` alone. A local time is given in milliseconds as if it were UTC; a day as its number since
// 1970-01-01.

export const DAY_MS = 86_400_000;
/** Newer engines take offsets such as `+05:45` as well, which are no zones: they have no summer time. */
const ZONE_NAME = /^[A-Za-z][\w+\-/]*$/;
export const LONGEST_ZONE_NAME = 60;
/** A formatter takes some 50 KiB, and there are 600 names of zones. */
const MOST_KEPT = 50;
/** Offsets are between -12 and +14 hours, so the instant of a local time is within these of the same time in UTC. */
const EARLIEST_MS = -15 * 3_600_000;
const LATEST_MS = 13 * 3_600_000;

/** A time zone. */
export interface Zone {
  /** As it was asked for. */
  readonly name: string;
  /** What the zone's clocks show at an instant, less UTC, in milliseconds. */
  offsetAt(instant: number): number;
}

const kept = new Map<string, Zone["offsetAt"]>();

/** The zone with that name, in upper or lower case; null if there is none. */
export function zoneNamed(name: string): Zone | null {
  const key = name.toLowerCase();
  const offsetAt = kept.get(key) ?? makeOffsetAt(name);
  if (offsetAt === null) return null;
  kept.delete(key);
  kept.set(key, offsetAt);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return { name, offsetAt };
}

function makeOffsetAt(name: string): Zone["offsetAt"] | null {
  if (name.length > LONGEST_ZONE_NAME || !ZONE_NAME.test(name)) return null;
  const format = formatOf(name);
  if (format === null) return null;
  return (instant) => {
    // 11/23/2026, 14:05:09
    const shown = format.format(instant);
    const numberAt = (from: number, to: number) => Number(shown.slice(from, to));
    const local = Date.UTC(
      numberAt(6, 10),
      numberAt(0, 2) - 1,
      numberAt(3, 5),
      numberAt(12, 14),
      numberAt(15, 17),
      numberAt(18, 20),
    );
    return local - Math.floor(instant / 1000) * 1000;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const two = "2-digit";
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
  } catch {
    return null;
  }
}

/** What the clocks of the zone show at an instant. */
export function localTimeAt(zone: Zone, instant: number): number {
  return instant + zone.offsetAt(instant);
}

/** The local day of an instant. */
export function localDayAt(zone: Zone, instant: number): number {
  return Math.floor(localTimeAt(zone, instant) / DAY_MS);
}

/**
 * The first instant at which the clocks show a local time. If they skip it, the instant at which they do. Exact as long as clocks are not
 * changed twice within 28 hours, which no zone has done since 2020.
 */
export function firstInstantOf(zone: Zone, local: number): number {
  const [earliest, latest] = [local + EARLIEST_MS, local + LATEST_MS];
  const [before, after] = [zone.offsetAt(earliest), zone.offsetAt(latest)];
  if (before === after) return local - before;
  const changed = changeBetween(zone, earliest, latest, before);
  return local - before < changed ? local - before : Math.max(changed, local - after);
}

/** The second in which the offset becomes another than `before`. */
function changeBetween(zone: Zone, earliest: number, latest: number, before: number): number {
  let [same, other] = [Math.floor(earliest / 1000), Math.ceil(latest / 1000)];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (zone.offsetAt(middle * 1000) === before) same = middle;
    else other = middle;
  }
  return other * 1000;
}

/** The first instant of a local day, also where the clocks skip midnight. */
export function startOfDay(zone: Zone, day: number): number {
  return firstInstantOf(zone, day * DAY_MS);
}

/** An instant as the zone's clocks show it, in ISO 8601 with the offset: `2026-11-23T00:00:00+05:45`. */
export function isoInZone(zone: Zone, instant: number): string {
  const offset = zone.offsetAt(instant);
  const minutes = Math.abs(offset) / 60_000;
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  const local = new Date(instant + offset).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** The day of a date such as `2026-11-21`; null for a text that is none. */
export function dayOfDate(date: string): number | null {
  const instant = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(instant) || !new Date(instant).toISOString().startsWith(date)) return null;
  return instant / DAY_MS;
}

/** A day as `2026-11-21`. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
