import type { EventKind, Verdict } from "#libs/domain/event.ts";
import type { ServingMetrics } from "../answers/metrics.ts";

interface CountedEvent {
  readonly kind: EventKind;
}

interface Run {
  readonly kind: EventKind;
  readonly verdict: Verdict | null;
  events: number;
}

/** Counts what became of a batch's events: stored with a verdict, or over a limit where it is null. */
export function countVerdicts(
  metrics: Pick<ServingMetrics, "countStored" | "countRefused">,
  batch: readonly CountedEvent[],
  verdicts: readonly (Verdict | null)[],
): void {
  for (const { kind, verdict, events } of runsOf(batch, verdicts)) {
    if (verdict === null) metrics.countRefused(kind, "limited", events);
    else metrics.countStored(kind, verdict, events);
  }
}

/** Neighbors of one kind and verdict, counted in one go: under load a batch has only a few such runs. */
function runsOf(batch: readonly CountedEvent[], verdicts: readonly (Verdict | null)[]): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const [index, { kind }] of batch.entries()) {
    const verdict = verdicts[index] ?? null;
    if (run?.kind === kind && run.verdict === verdict) run.events += 1;
    else {
      run = { kind, verdict, events: 1 };
      runs.push(run);
    }
  }
  return runs;
}
