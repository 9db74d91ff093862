import type { Differences } from "./oracle.ts";
import type { SentLog } from "./sent-log.ts";

const SHOWN = 12;

/** The differences in words, a line a kind of difference; empty where there are none. */
export function describeDifferences(differences: Differences, sentLog: SentLog, faultAt: number): string[] {
  const { missing, doubled, refusedAndStored, unlike, changed, strangers } = differences;
  const lines = Object.entries({
    "acknowledged and missing": missing,
    "stored more than once": doubled,
    "refused and stored": refusedAndStored,
    "sent to two processes, and not stored as one that counts and one duplicate": unlike,
    "stored as something else": changed,
  }).flatMap(([what, numbers]) =>
    numbers.length === 0 ? [] : [`${what}: ${runsOf(numbers, sentLog, faultAt)}`],
  );
  if (strangers.length > 0) {
    lines.push(
      `stored and sent by nobody: ${strangers.length}, such as ${strangers.slice(0, SHOWN).join(" ")}`,
    );
  }
  return lines;
}

/** `34 (3 "promised" 1200-1231, 4.2 s after the fault began; …)`: what is lost together shows as one run. */
function runsOf(numbers: readonly number[], sentLog: SentLog, faultAt: number): string {
  const runs: { first: number; last: number; count: number }[] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    // Requests of one batch have come in at the same time, from several clients.
    if (run !== undefined && number - run.last < 50) {
      run.last = number;
      run.count += 1;
    } else runs.push({ first: number, last: number, count: 1 });
  }
  const shown = runs.slice(0, SHOWN).map(({ first, last, count }) => {
    const seconds = ((sentLog.sentAt(first) - faultAt) / 1000).toFixed(2);
    return `${count} of ${first}-${last} (${sentLog.fate(first)}, sent ${seconds} s after the fault began)`;
  });
  const more = runs.length > SHOWN ? `; ${runs.length - SHOWN} more such runs` : "";
  return `${numbers.length}: ${shown.join("; ")}${more}`;
}
