import { expect, it } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { startManagement } from "../../tests/management.ts";
import { forgetProcessorFacts, processorFacts, statusesOf } from "../../tests/processor-facts.ts";
import { allRecorded, liveThrough, recordEvents, seededNumbers } from "../../tests/recorded-events.ts";
import { reconciled, startStorm, statusesAtProcessor, totals } from "../../tests/storm.ts";
import { aPublisher } from "../../tests/story.ts";
import { applied, deliver } from "../../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { database, processor } = service;
const publisher = await aPublisher(service);

const LIVES = 50;
const SEED = 20_261_121;

/** The state of the dispute of each charge that has one, as the processor lists it. */
async function disputesAtProcessor() {
  const states = new Map<string, { amount: number; status: string }>();
  for await (const { charge, amount, status } of processor.stripe.disputes.list({ limit: 100 })) {
    states.set(String(charge), { amount, status });
  }
  return states;
}

it("reaches the state of ordered delivery when the events of 50 lives, half of them charged at approval, are shuffled, repeated and lost", async () => {
  const random = seededNumbers(SEED);
  const recorded = await recordEvents(service);
  // With numbers of its own: how many it takes depends on time, and the lives are the same in every run.
  const storm = startStorm(service, recorded, seededNumbers(SEED + 1));
  await liveThrough(service, publisher, LIVES / 2, random, storm.takeNew);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt: "approval",
  });
  await liveThrough(service, publisher, LIVES / 2, random, storm.takeNew);
  await allRecorded(service, recorded);
  const delivered = await storm.end();
  const report = await reconciled(service);
  const afterStorm = await processorFacts(database);
  const { atProcessor: money, shown } = await totals(service, publisher, 1);
  const disputes = await disputesAtProcessor();

  await forgetProcessorFacts(database);
  for (const event of recorded) {
    await deliver(service, event);
    await applied(service, event.id);
  }
  const inOrder = await processorFacts(database);
  expect(delivered.size).toBeLessThan(recorded.length);
  expect(report.repaired.subscription.count + report.repaired.checkout.count).toBeGreaterThan(0);
  expect(report.failed.count).toBe(0);
  expect(money.refunded).toBeGreaterThan(0);
  expect(shown).toEqual(money);
  expect((afterStorm.refunds ?? []).reduce((sum, { amount }) => sum + amount, 0)).toBe(money.refunded);
  expect((afterStorm.charges ?? []).reduce((sum, charge) => sum + charge.amount_refunded, 0)).toBe(
    money.refunded,
  );
  expect(new Set([...disputes.values()].map(({ status }) => status)).size).toBeGreaterThan(1);
  const disputed = (afterStorm.charges ?? []).filter((charge) => charge.disputed);
  expect(
    new Map(
      disputed.map((charge) => [
        charge.provider_charge_id,
        { amount: charge.dispute_amount, status: charge.dispute_status },
      ]),
    ),
  ).toEqual(disputes);
  expect(afterStorm.subscriptions).toHaveLength(LIVES);
  expect(statusesOf(afterStorm)).toEqual(await statusesAtProcessor(service));
  expect(afterStorm).toEqual(inOrder);
});
