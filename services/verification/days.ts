import { parseArgs } from "node:util";
import type { StatsWindow } from "#libs/domain/stats-window.ts";
import { commandLine } from "#libs/process/index.ts";

const DAY_MS = 86_400_000;
const MOST_DAYS = 4_000;
/** The table `events` accepts no earlier time. */
const FIRST_MOMENT = Date.UTC(2020, 0, 1);
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The arguments are wrong; the message is the usage. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const VERIFY_USE = `Use: ${commandLine("operate:verify", "[--days N] [--judgements 2026-11-20]")}, with N from 1 to 4000 days up to today, and a day whose verdicts are checked.`;
const REPAIR_USE = `Use: ${commandLine("operate:repair", "--days 2026-11-20[,2026-11-22..2026-11-24] [--force] [--ingestion-is-stopped]")}`;

/** What `npm run operate:verify` is to compare. */
export interface VerifyOrder {
  /** Days counted back from today; null for all. */
  readonly days: number | null;
  /** The day whose verdicts are checked; null for none. */
  readonly judgements: string | null;
}

/** What `npm run operate:verify` is to compare. Throws `UsageError`. */
export function parseVerify(typed: readonly string[]): VerifyOrder {
  const options = { days: { type: "string" }, judgements: { type: "string" } } as const;
  const { days, judgements } = parse(typed, options, VERIFY_USE);
  if (judgements !== undefined && (typeof judgements !== "string" || !isDay(judgements)))
    throw new UsageError(VERIFY_USE);
  const order = { days: null, judgements: judgements ?? null };
  if (days === undefined) return order;
  if (typeof days !== "string" || !/^\d{1,4}$/.test(days)) throw new UsageError(VERIFY_USE);
  const count = Number(days);
  if (count < 1 || count > MOST_DAYS) throw new UsageError(VERIFY_USE);
  return { ...order, days: count };
}

export interface RepairOrder {
  /** Sorted, each once. */
  readonly days: readonly string[];
  readonly force: boolean;
  readonly isIngestionStopped: boolean;
}

/** What `npm run operate:repair` is to do. Throws `UsageError`. */
export function parseRepair(typed: readonly string[]): RepairOrder {
  const given = parse(
    typed,
    { days: { type: "string" }, force: { type: "boolean" }, "ingestion-is-stopped": { type: "boolean" } },
    REPAIR_USE,
  );
  if (typeof given.days !== "string") throw new UsageError(REPAIR_USE);
  const days = new Set(given.days.split(",").flatMap(daysOf));
  if (days.size > MOST_DAYS) throw new UsageError(REPAIR_USE);
  return {
    days: [...days].sort(),
    force: given.force === true,
    isIngestionStopped: given["ingestion-is-stopped"] === true,
  };
}

/** The day of a moment in milliseconds since the epoch, in UTC. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The last days up to the moment's own. */
export function lastDays(count: number, now: number): StatsWindow {
  return { from: dayOf(now - (count - 1) * DAY_MS), to: dayOf(now) };
}

/** The days whose raw events are all kept, up to tomorrow because of clocks that are ahead. */
export function keptDays(retentionDays: number, now: number): StatsWindow {
  const from = now - (retentionDays - 1) * DAY_MS;
  return { from: from > FIRST_MOMENT ? dayOf(from) : dayOf(FIRST_MOMENT), to: dayOf(now + DAY_MS) };
}

/** Splits the range at months, by which raw events are partitioned. */
export function* monthsOf({ from, to }: StatsWindow): Generator<StatsWindow> {
  for (let day = from; day <= to; ) {
    const start = new Date(day);
    const nextMonth = dayOf(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
    const last = dayOf(Date.parse(nextMonth) - DAY_MS);
    yield { from: day, to: last < to ? last : to };
    day = nextMonth;
  }
}

function daysOf(text: string): string[] {
  const [from = "", to = from, ...rest] = text.trim().split("..");
  if (rest.length > 0 || !isDay(from) || !isDay(to) || from > to) throw new UsageError(REPAIR_USE);
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (count > MOST_DAYS) throw new UsageError(REPAIR_USE);
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS));
}

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
}

type Options = Readonly<Record<string, { readonly type: "string" | "boolean" }>>;

function parse(typed: readonly string[], options: Options, use: string) {
  try {
    return parseArgs({ args: [...typed], options }).values;
  } catch {
    throw new UsageError(use);
  }
}
