import { describeCases } from "./suite/cases.ts";
import type { Fresh } from "./suite/events.ts";
import { describeRanges } from "./suite/ranges.ts";
import { describeWalks } from "./suite/walks.ts";

/** What every adapter of the port does. `fresh` gives a judge that has seen nothing yet; each walk is taken `numRuns` times. */
export function describeJudge(adapter: string, fresh: Fresh, numRuns: number): void {
  describeCases(adapter, fresh);
  describeRanges(adapter, fresh);
  describeWalks(adapter, fresh, numRuns);
}
