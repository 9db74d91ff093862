import type { Stripe } from "stripe";
import { expect, it, vi } from "vitest";
import { revenue } from "#libs/contract/invoices.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { startManagement } from "../../tests/management.ts";
import { forgetProcessorFacts, processorFacts, statusesOf } from "../../tests/processor-facts.ts";
import {
  allRecorded,
  liveThrough,
  type RecordedEvent,
  recordEvents,
  seededNumbers,
} from "../../tests/recorded-events.ts";
import { aPublisher } from "../../tests/story.ts";
import { applied, deliver } from "../../tests/webhook-story.ts";
import { findRun, queueReconciliation } from "../reconciliation/runs.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { database, processor } = service;
const publisher = await aPublisher(service);

const LIVES = 50;
const CLIENTS = 8;
const SEED = 20_261_121;
const DOUBLED = 0.25;
const LOST = 0.15;

/** Takes events in any order, loses some and sends some twice, until `hasEnded`. */
async function stormyClient(waiting: RecordedEvent[], hasEnded: () => boolean, random: () => number) {
  const delivered: string[] = [];
  while (waiting.length > 0 || !hasEnded()) {
    const [event] = waiting.splice(Math.floor(random() * waiting.length), 1);
    if (event === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    } else if (random() >= LOST) {
      const { status } = await deliver(service, event);
      expect(status).toBe(200);
      delivered.push(event.id);
      if (random() < DOUBLED) waiting.push(event);
    }
  }
  return delivered;
}

const STATUSES: Readonly<Record<string, string>> = {
  active: "Active",
  trialing: "Trialing",
  canceled: "Canceled",
};

function statusAtProcessor({ status, pause_collection, metadata }: Stripe.Subscription): string {
  const isPaused = pause_collection !== null && metadata.awaitsApproval === undefined;
  return isPaused && status !== "canceled" ? "Paused" : (STATUSES[status] ?? status);
}

async function reconciled() {
  const runId = await queueReconciliation(database.db);
  return await vi.waitFor(
    async () => {
      const run = await findRun(database.db, runId);
      if (run?.report == null) throw new Error("the comparison has not finished");
      return run.report;
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** The state of the dispute of each charge that has one, as the processor lists it. */
async function disputesAtProcessor() {
  const states = new Map<string, { amount: number; status: string }>();
  for await (const { charge, amount, status } of processor.stripe.disputes.list({ limit: 100 })) {
    states.set(String(charge), { amount, status });
  }
  return states;
}

/** What was paid and refunded, as the processor lists it and as the page of revenue shows it. */
async function totals() {
  const { stripe } = processor;
  let gross = 0;
  for await (const invoice of stripe.invoices.list({ limit: 100 })) {
    if (invoice.status === "paid") gross += invoice.amount_paid;
  }
  let refunded = 0;
  for await (const refund of stripe.refunds.list({ limit: 100 })) refunded += refund.amount;
  const { currencies } = await publisher.caller.ok(revenue, "GET", `${publisher.path}/revenue?months=1`);
  const { gross: shownGross, refunded: shownRefunded, net } = currencies[0]?.totals ?? {};
  return {
    atProcessor: { gross, refunded, net: gross - refunded },
    shown: { gross: shownGross, refunded: shownRefunded, net },
  };
}

it("reaches the state of ordered delivery when the events of 50 lives, half of them charged at approval, are shuffled, repeated and lost", async () => {
  const random = seededNumbers(SEED);
  const recorded = await recordEvents(service);
  const waiting: RecordedEvent[] = [];
  let taken = 0;
  let ended = false;
  const takeNew = () => {
    waiting.push(...recorded.slice(taken));
    taken = recorded.length;
  };

  const clients = Array.from({ length: CLIENTS }, () => stormyClient(waiting, () => ended, random));
  await liveThrough(service, publisher, LIVES / 2, random, takeNew);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt: "approval",
  });
  await liveThrough(service, publisher, LIVES / 2, random, takeNew);
  await allRecorded(service, recorded);
  takeNew();
  ended = true;
  const delivered = new Set((await Promise.all(clients)).flat());
  await applied(service, ...delivered);
  const report = await reconciled();
  const afterStorm = await processorFacts(database);
  const { atProcessor: money, shown } = await totals();
  const disputes = await disputesAtProcessor();

  await forgetProcessorFacts(database);
  for (const event of recorded) {
    await deliver(service, event);
    await applied(service, event.id);
  }
  const inOrder = await processorFacts(database);
  const atProcessor = new Map<string, string>();
  for await (const subscription of processor.stripe.subscriptions.list({ status: "all" })) {
    atProcessor.set(subscription.id, statusAtProcessor(subscription));
  }

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
  expect(statusesOf(afterStorm)).toEqual(atProcessor);
  expect(afterStorm).toEqual(inOrder);
}, 180_000);
