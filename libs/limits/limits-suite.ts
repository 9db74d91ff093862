import { afterEach } from "vitest";
import type { Limits } from "./port.ts";
import { describeBudgetsAndSalt } from "./suite/budgets.ts";

/** What every adapter of the port does. `open` gives limits that have seen nothing yet; they are closed afterwards. */
export function describeLimits(adapter: string, open: () => Promise<Limits>): void {
  const opened: Limits[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((limits) => limits.close()));
  });

  describeBudgetsAndSalt(adapter, async () => {
    const made = await open();
    opened.push(made);
    return made;
  });
}
