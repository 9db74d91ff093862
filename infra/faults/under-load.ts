import { reportFailure } from "./failure-report.ts";
import type { Installation } from "./installation.ts";
import { judge } from "./judge.ts";
import { type Load, startLoad } from "./load.ts";
import { type Random, randomOf } from "./random.ts";
import { type FaultResult, keepResult } from "./results.ts";
import { settled } from "./settled.ts";
import { until } from "./until.ts";
import { Watch } from "./watch.ts";

const STEADY_WITHIN_MS = 60_000;
const RECOVERED_WITHIN_MS = 90_000;
const STORED_WITHIN_MS = 60_000;
/** How long the installation runs without a fault first. */
const CALM_FOR_MS = 500;

export interface Fault {
  /** The name in the table. */
  readonly name: string;
  /** Whether every event has to be promised, from the beginning of the fault until all is well. */
  readonly tracking: "all" | "some";
  /** Whether every request for ads must succeed during the fault. */
  readonly serving: "all" | "some";
  /** Does the damage, and undoes it. What the parts have to do by themselves is not done here. */
  readonly inflict: (installation: Installation, random: Random, load: Load) => Promise<void>;
}

/**
 * Inflicts the fault while clients send events, waits until the installation has recovered by itself, and holds what is
 * stored against what was promised. Throws with all that is wrong.
 */
export async function injectFaultUnderLoad(installation: Installation, fault: Fault): Promise<FaultResult> {
  const { sentLog, oracle, stored, serving, workspaceId, adIds } = installation;
  const watch = new Watch(sentLog, oracle, stored);
  const origins = serving.map(({ origin }) => origin);
  const load = startLoad({ origins, workspaceId, adIds, sentLog });
  try {
    const { result, problems } = await injectFault(installation, fault, load, watch);
    await keepResult(result);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    return result;
  } catch (error) {
    const failure = reportFailure(fault.name, installation, error);
    await load.stop();
    await installation.restore().catch((problem: unknown) => process.stderr.write(`${String(problem)}\n`));
    throw failure;
  } finally {
    await load.stop();
    watch.close();
  }
}

async function injectFault(installation: Installation, fault: Fault, load: Load, watch: Watch) {
  const { sentLog } = installation;
  const firstNumber = sentLog.sent;
  const startedAt = Date.now();
  await until(STEADY_WITHIN_MS, "was not well", async () => {
    // The first event of a day makes the day's salt.
    await installation.learnSalts();
    return watch.isWell(startedAt + CALM_FOR_MS);
  });

  const faultAt = Date.now();
  await fault.inflict(installation, randomOf(fault.name), load);
  load.sendTwins(0);
  const overAt = Date.now();
  await until(RECOVERED_WITHIN_MS, "did not recover", () => watch.isWell(overAt));
  const recoveredAt = Date.now();
  await load.stop();
  const endedAt = Date.now();

  await installation.learnSalts();
  // What is not stored then is missing, and the judge says so.
  await until(STORED_WITHIN_MS, "lost events", async () => (await watch.promisedAndNotStored()) === 0).catch(
    () => undefined,
  );
  await settled(installation);
  const { problems, ...judgement } = await judge(installation, firstNumber, faultAt);
  const { tracking, serving } = sentLog.between(faultAt, recoveredAt);
  const result: FaultResult = {
    fault: fault.name,
    ...judgement,
    perSecond: Math.round((sentLog.sent - firstNumber) / ((endedAt - startedAt) / 1000)),
    lasted: (overAt - faultAt) / 1000,
    recovered: (recoveredAt - overAt) / 1000,
    tracking: share(tracking),
    serving: share(serving),
  };
  for (const [what, needed, part] of [
    ["tracking", fault.tracking, result.tracking],
    ["serving", fault.serving, result.serving],
  ] as const) {
    if (needed === "all" && part < 1)
      problems.push(`${what} answered ${(part * 100).toFixed(3)} % as it should`);
  }
  return { result, problems };
}

function share({ asked, answered }: { readonly asked: number; readonly answered: number }): number {
  return asked === 0 ? 1 : answered / asked;
}
