import type { LocalLogState } from "#libs/event-log/index.ts";
import type { Difference } from "./difference.ts";

/** Finds what is wrong within an event log. `isRunning`: whether the product runs, so that ingestion should be processing it. */
export function compareLog(state: LocalLogState, isRunning: boolean): Difference[] {
  const { end, committed, lag, intent, deadLetters } = state;
  const found: Difference[] = [];
  if (committed > end) {
    found.push(
      said(`Everything up to batch ${committed} is marked as counted, and the log ends at batch ${end}.`),
    );
  }
  if (deadLetters > 0) {
    found.push(
      said(`ClickHouse has refused ${deadLetters} events, which lie in dead_letters and are not counted.`),
    );
  }
  if (isRunning && lag > 0) {
    found.push({
      signature: `stands still at ${committed}, ${intent}`,
      message: `${lag} events wait behind batch ${committed}, and ingestion does not move on.`,
    });
  }
  return found;
}

function said(message: string): Difference {
  return { signature: message, message };
}
