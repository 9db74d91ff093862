import type { Installation } from "./installation.ts";
import { judge } from "./judge.ts";
import { type FaultResult, keepResult } from "./results.ts";
import { sentEvent } from "./sent-event.ts";
import type { Service } from "./services.ts";
import { settled } from "./settled.ts";
import { toldFailure } from "./told-failure.ts";
import { until } from "./until.ts";
import { Watch } from "./watch.ts";

const STORED_WITHIN_MS = 30_000;

export interface SilentFault {
  readonly name: string;
  readonly inflict: (installation: Installation) => Promise<void>;
}

/**
 * Sends one event to each serving process before the fault and one after it, and nothing else. Each has to be stored,
 * once, although nothing comes behind it that would take it along.
 */
export async function sufferInSilence(installation: Installation, fault: SilentFault): Promise<FaultResult> {
  const { ledger, oracle, stored, serving } = installation;
  const watch = new Watch(ledger, oracle, stored);
  const firstNumber = ledger.sent;
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
      tracking: judgement.acknowledged / (ledger.sent - firstNumber),
      serving: 1,
    };
    await keepResult(result);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    return result;
  } catch (error) {
    const failure = toldFailure(fault.name, installation, error);
    await installation.restore().catch(() => undefined);
    throw failure;
  } finally {
    watch.close();
  }
}

async function sendOne({ ledger, adIds }: Installation, { origin }: Service): Promise<void> {
  const number = ledger.send();
  const { adId, kind, address, userAgent } = sentEvent(number, adIds);
  const answer = await fetch(`${origin}/v1/ads/${adId}/${kind}s`, {
    method: "POST",
    headers: { "x-forwarded-for": address, "user-agent": userAgent },
  });
  ledger.settle(number, (await answer.text()) === '{"success":true}' ? "promised" : "unavailable");
}
