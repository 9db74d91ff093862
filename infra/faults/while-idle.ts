import { reportFailure } from "./failure-report.ts";
import type { Installation } from "./installation.ts";
import { judge } from "./judge.ts";
import { type FaultResult, keepResult } from "./results.ts";
import { sentEvent } from "./sent-event.ts";
import type { Service } from "./services.ts";
import { settled } from "./settled.ts";
import { until } from "./until.ts";
import { Watch } from "./watch.ts";

const STORED_WITHIN_MS = 30_000;

export interface IdleFault {
  readonly name: string;
  readonly inflict: (installation: Installation) => Promise<void>;
}

/**
 * Sends one event to each serving process before the fault and one after it, and nothing else. Each has to be stored,
 * once, although nothing comes behind it that would take it along.
 */
export async function injectFaultWhileIdle(
  installation: Installation,
  fault: IdleFault,
): Promise<FaultResult> {
  const { sentLog, oracle, stored, serving } = installation;
  const watch = new Watch(sentLog, oracle, stored);
  const firstNumber = sentLog.sent;
  const allStored = () =>
    until(
      STORED_WITHIN_MS,
      "kept an event to itself",
      async () => (await watch.promisedAndNotStored()) === 0,
    );
  try {
    await installation.learnSalts();
    for (const one of serving) await sendOne(installation, one);
    await installation.learnSalts();
    await allStored();
    const faultAt = Date.now();
    await fault.inflict(installation);
    const overAt = Date.now();
    for (const one of serving) await sendOne(installation, one);
    await allStored();
    const recoveredAt = Date.now();
    await settled(installation);
    const { problems, ...judgement } = await judge(installation, firstNumber, faultAt);
    const result: FaultResult = {
      fault: fault.name,
      ...judgement,
      perSecond: 0,
      lasted: (overAt - faultAt) / 1000,
      recovered: (recoveredAt - overAt) / 1000,
      tracking: judgement.acknowledged / (sentLog.sent - firstNumber),
      serving: 1,
    };
    await keepResult(result);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    return result;
  } catch (error) {
    const failure = reportFailure(fault.name, installation, error);
    await installation.restore().catch(() => undefined);
    throw failure;
  } finally {
    watch.close();
  }
}

async function sendOne({ sentLog, adIds }: Installation, { origin }: Service): Promise<void> {
  const number = sentLog.send();
  const { adId, kind, address, userAgent } = sentEvent(number, adIds);
  const answer = await fetch(`${origin}/v1/ads/${adId}/${kind}s`, {
    method: "POST",
    headers: { "x-forwarded-for": address, "user-agent": userAgent },
  });
  sentLog.settle(number, (await answer.text()) === '{"success":true}' ? "promised" : "unavailable");
}
