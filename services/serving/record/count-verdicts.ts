import type { EventKind, RequestVerdict } from "#libs/domain/event.ts";
import type { ServingMetrics } from "../answers/metrics.ts";

interface CountedEvent {
  readonly kind: EventKind;
  readonly verdict: RequestVerdict;
}

interface Run {
  readonly kind: EventKind;
  readonly verdict: RequestVerdict | null;
  events: number;
}

/** Counts what became of a batch's events: stored with the verdict of the request alone, or refused where they are over a limit. */
export function countVerdicts(
  metrics: Pick<ServingMetrics, "countStored" | "countRefused">,
  batch: readonly CountedEvent[],
  refused: ReadonlySet<number>,
): void {
  for (const { kind, verdict, events } of runsOf(batch, refused)) {
    if (verdict === null) metrics.countRefused(kind, "limited", events);
    else metrics.countStored(kind, verdict, events);
  }
}

/** Neighbors of one kind and verdict, counted in one go: under load a batch has only a few such runs. */
function runsOf(batch: readonly CountedEvent[], refused: ReadonlySet<number>): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const [index, { kind, verdict: soFar }] of batch.entries()) {
    const verdict = refused.has(index) ? null : soFar;
    if (run?.kind === kind && run.verdict === verdict) run.events += 1;
    else {
      run = { kind, verdict, events: 1 };
      runs.push(run);
    }
  }
  return runs;
}
