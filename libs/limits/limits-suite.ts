import { afterEach } from "vitest";
import type { Limits, TrackingLimits } from "./port.ts";
import { describeAnyTimes } from "./suite/any-times.ts";
import { describeBatchEnds } from "./suite/batch-ends.ts";
import { describeBatchIds } from "./suite/batch-ids.ts";
import { describeBudgetsAndSalt } from "./suite/budgets.ts";
import { LIMITS } from "./suite/events.ts";
import { describeJudging } from "./suite/judging.ts";
import { describeJudgingRules } from "./suite/judging-rules.ts";

/** What every adapter of the port does. `open` gives limits that have seen nothing yet; they are closed afterwards. */
export function describeLimits(adapter: string, open: (limits: TrackingLimits) => Promise<Limits>): void {
  const opened: Limits[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((limits) => limits.close()));
  });

  async function fresh(limits: TrackingLimits = LIMITS): Promise<Limits> {
    const made = await open(limits);
    opened.push(made);
    return made;
  }

  describeJudging(adapter, fresh);
  describeJudgingRules(adapter, fresh);
  describeAnyTimes(adapter, fresh);
  describeBatchEnds(adapter, fresh);
  describeBatchIds(adapter, fresh);
  describeBudgetsAndSalt(adapter, fresh);
}
