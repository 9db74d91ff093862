import { setTimeout as after } from "node:timers/promises";
import { findLogDamage, readLocalLog } from "#libs/event-log/index.ts";
import { compareAds, compareCounts } from "./compare-counts.ts";
import { compareJudgements } from "./compare-judgements.ts";
import { compareLog, compareStores } from "./compare-stores.ts";
import { compareUploads } from "./compare-uploads.ts";
import { keptDays, lastDays, type VerifyOrder } from "./days.ts";
import { collect, type Difference, type Kind, reportLines } from "./difference.ts";
import type { OpenInstallation } from "./open-installation.ts";

/** Long enough for any change that is written to several stores, one after the other. */
const SECOND_LOOK_MS = 3_000;

/**
 * Compares the stores and prints what differs; returns whether nothing does. Counts are compared of the days that are asked for, or of all
 * whose raw events are kept; verdicts are checked of one day, if one is asked for.
 */
export async function verify(
  installation: OpenInstallation,
  { days, judgements }: VerifyOrder,
  now: number,
  say: (line: string) => void,
): Promise<boolean> {
  const { database, stats, files, isRunning, logFile } = installation;
  const kept = keptDays(installation.eventRetentionDays, now);
  const range = days === null ? kept : { from: laterOf(kept.from, lastDays(days, now).from), to: kept.to };
  const comparisons: readonly (readonly [Kind, () => Promise<Difference[]>])[] = [
    ["counts", () => collect(compareCounts(stats, range))],
    ["ads", () => collect(compareAds(database.db, stats))],
    ["event log", async () => lookAtLog(logFile, isRunning)],
    ["uploads", () => collect(compareUploads(database.db, files))],
    ["stores", () => compareStores(installation)],
    ...(judgements === null
      ? []
      : [["judgements", () => collect(compareJudgements(stats, judgements))] as const]),
  ];
  say(
    `Counts of ${range.from} to ${range.to}; ${isRunning ? "others may write meanwhile" : "nothing else runs"}.`,
  );
  let isWhole = true;
  for (const [kind, look] of comparisons) {
    const found = isRunning ? await settle(look, () => after(SECOND_LOOK_MS)) : await look();
    for (const line of reportLines(kind, found)) say(line);
    isWhole &&= found.length === 0;
  }
  return isWhole;
}

function lookAtLog(file: string | null, isRunning: boolean): Difference[] {
  const log = file === null ? null : readLocalLog(file);
  // `compareStores` reports a missing file.
  return file === null || log === null ? [] : compareLog(log, findLogDamage(file), isRunning);
}

function laterOf(a: string, b: string): string {
  return a > b ? a : b;
}

/** Differences that change with every look come from running writes, so after these looks they are not reported. */
const MOST_LOOKS = 4;

/** The differences of the later look that the earlier one found too. */
function persisting(earlier: readonly Difference[], later: readonly Difference[]): Difference[] {
  const known = new Set(earlier.map(({ signature }) => signature));
  return later.filter(({ signature }) => known.has(signature));
}

/**
 * Looks until two looks in a row agree, at most four times, and returns what the last two both found. So it leaves out data that
 * one store has a moment before the other. `pause` resolves when it is time to look again.
 */
export async function settle(
  look: () => Promise<Difference[]>,
  pause: () => Promise<void>,
): Promise<Difference[]> {
  let found = await look();
  let kept: Difference[] = [];
  for (let looks = 1; looks < MOST_LOOKS && found.length > 0; looks += 1) {
    await pause();
    const again = await look();
    kept = persisting(found, again);
    if (kept.length === again.length) return kept;
    found = again;
  }
  return kept;
}
