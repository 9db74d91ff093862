import { describeDays, describeDifferences } from "./differences.ts";
import type { Installation } from "./installation.ts";
import type { Differences } from "./oracle.ts";

export interface Judgement {
  /** Events promised since the number that was given. */
  readonly acknowledged: number;
  readonly missing: number;
  readonly doubled: number;
  /** A sentence each; empty where what is stored is what was promised. */
  readonly problems: string[];
}

/** Holds everything that is stored against everything that was promised. Nothing may be on its way any more. */
export async function judge(
  { ledger, oracle, stored, told }: Installation,
  firstNumber: number,
  faultAt: number,
): Promise<Judgement> {
  const differences = untold(oracle.compare(await stored.events()), told);
  const { promised, refused } = ledger.count(firstNumber);
  return {
    acknowledged: promised,
    missing: differences.missing.length,
    doubled: differences.doubled.length,
    problems: [
      ...describeDifferences(differences, ledger, faultAt),
      ...describeDays(await stored.daysOfEvents(), await stored.daysOfDaily()),
      ...(refused > 0 ? [`${refused} events of a known ad were answered with success: false`] : []),
    ],
  };
}

/** What has not been told of yet: a fault is not blamed for what an earlier one has done. */
function untold(differences: Differences, told: Set<number | string>): Differences {
  const news = <One extends number | string>(all: readonly One[]) => all.filter((one) => !told.has(one));
  const { missing, doubled, refusedAndStored, changed, strangers } = differences;
  const found = {
    missing: news(missing),
    doubled: news(doubled),
    refusedAndStored: news(refusedAndStored),
    changed: news(changed),
    strangers: news(strangers),
  };
  for (const one of Object.values(found).flat()) told.add(one);
  return found;
}
