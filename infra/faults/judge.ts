import { describeDifferences } from "./differences.ts";
import type { Installation } from "./installation.ts";
import type { Differences } from "./oracle.ts";

export interface Judgement {
  /** Events promised since the number that was given. */
  readonly acknowledged: number;
  readonly missing: number;
  readonly doubled: number;
  /** Events that were sent to two processes and promised by both. */
  readonly twins: number;
  /** Of those, how many are stored as one that counts and one duplicate. */
  readonly recognized: number;
  /** One sentence each; empty if everything promised is stored, once. */
  readonly problems: string[];
}

interface AllDifferences extends Differences {
  /** Stored verdicts that contradict each other, one sentence each. */
  readonly contradictions: readonly string[];
}

/** Compares everything stored with everything promised. No event may still be in flight. */
export async function judge(
  { sentLog, oracle, stored, reported }: Installation,
  firstNumber: number,
  faultAt: number,
): Promise<Judgement> {
  const found = oracle.compare(await stored.events());
  const differences = unreported({ ...found, contradictions: await stored.judgementFaults() }, reported);
  const twins = sentLog.twins(firstNumber);
  const { promised, refused } = sentLog.count(firstNumber);
  return {
    acknowledged: promised,
    missing: differences.missing.length,
    doubled: differences.doubled.length,
    twins: twins.length,
    recognized: twins.length - differences.unlike.filter((number) => number >= firstNumber).length,
    problems: [
      ...describeDifferences(differences, sentLog, faultAt),
      ...differences.contradictions,
      ...(await stored.wrongDays()),
      ...(refused > 0 ? [`${refused} events of a known ad were answered with success: false`] : []),
    ],
  };
}

/** Leaves out what an earlier fault was already blamed for. */
function unreported(differences: AllDifferences, reported: Set<number | string>): AllDifferences {
  const news = <One extends number | string>(all: readonly One[]) => all.filter((one) => !reported.has(one));
  const { missing, doubled, refusedAndStored, unlike, changed, strangers, contradictions } = differences;
  const found = {
    missing: news(missing),
    doubled: news(doubled),
    refusedAndStored: news(refusedAndStored),
    unlike: news(unlike),
    changed: news(changed),
    strangers: news(strangers),
    contradictions: news(contradictions),
  };
  for (const one of Object.values(found).flat()) reported.add(one);
  return found;
}
