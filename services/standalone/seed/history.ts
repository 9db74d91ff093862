import { encodeEventRow, type TrackedEvent, VERDICTS, type Verdict } from "#libs/domain/event.ts";
import { newId } from "#libs/domain/ids.ts";
import { DUPLICATE_WINDOWS_MS } from "#libs/domain/tracking-limits.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { drawPlace } from "./places.ts";

const DAY_MS = 86_400_000;
const CLICK_RATE = 0.018;
/** A visitor is recognised for one day only. */
const VISITORS_PER_DAY = 1_500;
/** The shares of events that do not count, where they are not rare. */
const UNCOUNTED: Readonly<Partial<Record<Verdict, number>>> = {
  bot: 0.04,
  duplicate: 0.03,
  network: 0.015,
  prefetch: 0.01,
};
const RARE = 0.004;
/** The share of visitors whose browser asks for privacy: their events have no visitor. */
const ASKS_FOR_PRIVACY = 0.04;

export interface HistoryOfAd {
  readonly workspaceId: string;
  readonly adId: string;
  /** Impressions on an average day now; a site grows, so there were fewer. */
  readonly perDay: number;
  /** When it went live, in milliseconds since the epoch. */
  readonly since: number;
}

/** The part of today's traffic that the site had at the beginning. */
const AT_FIRST = 0.35;

/**
 * Writes invented traffic from when the first ad went live until now, so that the stats are not empty at first.
 * Weekends are quieter and every day is a little different; the numbers are the same for every installation.
 */
export async function writeHistory(
  stats: Pick<StatsStore, "insertRange">,
  ads: readonly HistoryOfAd[],
  now: number,
): Promise<void> {
  const [first] = ads;
  if (first === undefined) return;
  const today = now - (now % DAY_MS);
  const earliest = Math.min(...ads.map(({ since }) => since));
  const begin = earliest - (earliest % DAY_MS);
  const chance = createChance(20_261_121);
  const placeChance = createChance(20_261_127);
  const rows: string[] = [];
  for (let start = begin; start <= today; start += DAY_MS) {
    const growth = AT_FIRST + ((1 - AT_FIRST) * (start - begin)) / Math.max(DAY_MS, today - begin);
    for (const ad of ads) {
      for (const event of eventsOfDay(ad, start, growth, chance, placeChance)) {
        if (event.occurredAt >= ad.since && event.occurredAt < now) rows.push(encodeEventRow(event));
      }
    }
  }
  await stats.insertRange({
    token: `demo:${first.workspaceId}:${begin}`,
    rows: [Buffer.from(rows.join(""))],
  });
}

function eventsOfDay(
  ad: HistoryOfAd,
  start: number,
  growth: number,
  chance: () => number,
  placeChance: () => number,
): TrackedEvent[] {
  if (start + DAY_MS <= ad.since) return [];
  const weekday = new Date(start).getUTCDay();
  const mood = (weekday === 0 || weekday === 6 ? 0.6 : 1) * (0.85 + 0.3 * chance());
  const count = Math.round(ad.perDay * growth * mood);
  const lastCounted = new Map<string, TrackedEvent>();
  let repeated: TrackedEvent | undefined;
  // Each in its own part of the day, so that they come in the order of their times.
  return Array.from({ length: count }, (_, part) => {
    const event: TrackedEvent = {
      id: newId("event"),
      workspaceId: ad.workspaceId,
      adId: ad.adId,
      kind: chance() < CLICK_RATE ? "click" : "impression",
      verdict: drawVerdict(chance()),
      visitor: drawVisitor(start, chance()),
      occurredAt: start + Math.floor(((part + chance()) / count) * DAY_MS),
      source: "page",
      place: drawPlace(placeChance),
    };
    if (event.verdict === "duplicate") return repeat(repeated, event, chance());
    if (event.verdict !== "valid" || event.visitor === "" || event.occurredAt < ad.since) return event;
    const of = `${event.kind} ${event.visitor}`;
    const last = lastCounted.get(of);
    if (last !== undefined && event.occurredAt - last.occurredAt < DUPLICATE_WINDOWS_MS[event.kind])
      return { ...event, verdict: "duplicate" };
    lastCounted.set(of, event);
    repeated = event;
    return event;
  });
}

/** Makes an event the duplicate of one that counts, within its window; where there is none yet, it counts. */
function repeat(counted: TrackedEvent | undefined, event: TrackedEvent, draw: number): TrackedEvent {
  if (counted === undefined) return { ...event, verdict: "valid", visitor: "" };
  const later = Math.floor(draw * DUPLICATE_WINDOWS_MS[counted.kind]);
  return { ...counted, id: event.id, verdict: "duplicate", occurredAt: counted.occurredAt + later };
}

function drawVisitor(start: number, draw: number): string {
  const visitor = Math.floor(draw * VISITORS_PER_DAY);
  if (visitor < ASKS_FOR_PRIVACY * VISITORS_PER_DAY) return "";
  return (start + visitor).toString(16).padStart(16, "0");
}

function drawVerdict(draw: number): Verdict {
  let left = draw;
  for (const verdict of VERDICTS) {
    if (verdict === "valid") continue;
    const share = UNCOUNTED[verdict] ?? RARE;
    if (left < share) return verdict;
    left -= share;
  }
  return "valid";
}

/** Mulberry32: the same numbers for the same seed. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
