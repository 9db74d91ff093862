import { expect, it, vi } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { openPage } from "../../selling/tests/pages.ts";
import { pathOf } from "../../selling/tests/states.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, paidAds } from "../../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";
import { queueReconciliation } from "../reconciliation/runs.ts";

/*
 * Time that is paid for, where a publisher changes the grace midway or pauses at the processor.
 */

vi.setConfig({ testTimeout: 180_000 });

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const ads = paidAds(service);
const DAY_HOURS = 24;
const DAY_MS = 86_400_000;
const WITHIN = { timeout: 60_000, interval: 50 };
const WEEKLY = { initialPrices: [{ amount: 7000, intervalCount: 1, interval: "Week", currency: "usd" }] };

async function graceOf({ caller, path }: Publisher, renewalGraceDays: number): Promise<void> {
  await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, { renewalGraceDays });
}

/** An ad whose second week is not paid, and in its grace. */
async function anAdInGrace(publisher: Publisher): Promise<Bought> {
  const bought = await ads.aRunningAd(publisher, CARDS.failing, WEEKLY);
  await clock.passes(service, 7 * DAY_HOURS + 2);
  await becomes(publisher, bought, "PastDue");
  await ads.jobsDone();
  return bought;
}

it.each([0, 3])("gives no day away where a grace is cut short to %i days in its middle", async (days) => {
  const publisher = await aPublisher(service);
  await graceOf(publisher, 6);
  const bought = await anAdInGrace(publisher);
  const { subscription } = await becomes(publisher, bought, "PastDue");
  const start = Date.parse(subscription.currentPeriodStart ?? "");
  await clock.passes(service, 4 * DAY_HOURS);
  await ads.isOnAir(publisher, bought, true);
  const offAt = clock.now();

  await graceOf(publisher, days);
  await ads.isStopped(bought, "unpaid");
  await ads.isOnAir(publisher, bought, false);
  await clock.passes(service, 2 * DAY_HOURS);
  const paidAt = clock.now();
  await ads.payOpenInvoice(publisher, bought);

  const paid = await becomes(publisher, bought, "Active");
  const end = Date.parse(paid.subscription.currentPeriodEnd ?? "");
  expect((offAt - start + end - paidAt) / DAY_MS).toBeCloseTo(7, 1);
});

it("ends a pause that was made at the processor when it ends there by itself", async () => {
  const publisher = await aPublisher(service);
  const bought = await ads.aRunningAd(publisher, CARDS.sound, WEEKLY);
  const before = await becomes(publisher, bought, "Active");
  const id = await ads.subscriptionOf(bought);
  await clock.passes(service, DAY_HOURS);
  const resumes_at = Math.floor(clock.now() / 1000) + 2 * 86_400;
  await stripe.subscriptions.update(id, { pause_collection: { behavior: "void", resumes_at } });
  await becomes(publisher, bought, "Paused");
  await vi.waitFor(async () => {
    expect((await stripe.subscriptions.retrieve(id)).metadata.stop).toMatch(/^paused /);
  }, WITHIN);
  await ads.jobsDone();

  await clock.passes(service, 2 * DAY_HOURS + 1);

  const { subscription } = await becomes(publisher, bought, "Active");
  const end = Date.parse(before.subscription.currentPeriodEnd ?? "");
  expect((Date.parse(subscription.currentPeriodEnd ?? "") - end) / DAY_MS).toBeCloseTo(2, 1);
});

async function letter(to: string, about: string): Promise<string> {
  return await vi.waitFor(async () => {
    const found = (await mailsTo(service, to)).find(({ subject }) => subject.includes(about));
    expect(found?.text).toBeTypeOf("string");
    return found?.text ?? "";
  }, WITHIN);
}

/** Waits until the page of the purchase says that. */
async function pageSays(publisher: Publisher, bought: Bought, sentence: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await openPage(service, pathOf(publisher, bought))).text).toContain(sentence);
  }, WITHIN);
}

/** Pauses at the processor, and lets the service learn of it so many days later. */
async function pauseUnseen(bought: Bought, days: number): Promise<void> {
  service.deliverWebhooksTo("http://127.0.0.1:9/");
  await stripe.subscriptions.update(await ads.subscriptionOf(bought), {
    pause_collection: { behavior: "void" },
  });
  await clock.passes(service, days * DAY_HOURS);
  service.deliverWebhooksTo(`${service.origin}/v1/webhooks/stripe`);
  await queueReconciliation(service.database.db);
}

it("promises no rest of a period that is void through a pause, and tells that a new one begins", async () => {
  const publisher = await aPublisher(service);
  const bought = await ads.aRunningAd(publisher, CARDS.sound, WEEKLY);
  await clock.passes(service, 5 * DAY_HOURS);
  await pauseUnseen(bought, 5);
  await becomes(publisher, bought, "Paused");
  await ads.jobsDone();
  await pageSays(publisher, bought, "A new billing period begins then.");

  await ads.act(publisher, bought, "resume");

  expect(await ads.statusesOf(bought)).toEqual(["paid", "void", "paid"]);
  expect(await letter(bought.email, "is paused")).toContain("A new billing period begins then.");
  const resumed = await letter(bought.email, "live again");
  expect(resumed).toContain("A new billing period has begun ($70/week).");
  expect(resumed).not.toContain("has moved");
});

it.each([
  [false, "The payment that had failed is made ($70/week)"],
  [true, "A new billing period has begun ($70/week)."],
])("says in a pause that its payment is still to be made (voided meanwhile: %s)", async (isVoided, told) => {
  const publisher = await aPublisher(service);
  await graceOf(publisher, 6);
  const bought = await anAdInGrace(publisher);
  await ads.act(publisher, bought, "pause");
  await ads.jobsDone();
  const tried = "The payment that failed is tried again then.";
  expect(await letter(bought.email, "is paused")).toContain(tried);
  await pageSays(publisher, bought, tried);
  const [, owed] = await ads.invoicesOf(bought);
  if (isVoided) {
    await stripe.invoices.voidInvoice(owed?.id ?? "");
    await pageSays(publisher, bought, "A new billing period begins then.");
  }
  await ads.changeCard(publisher, bought);

  await ads.act(publisher, bought, "resume");

  expect(await letter(bought.email, "live again")).toContain(told);
});

it("charges nothing for a grace that ran into a pause that the service learned of later", async () => {
  const publisher = await aPublisher(service);
  const bought = await anAdInGrace(publisher);
  await pauseUnseen(bought, 7);
  await becomes(publisher, bought, "Paused");

  await vi.waitFor(
    async () => expect(await ads.statusesOf(bought)).toEqual(["paid", "void", "void"]),
    WITHIN,
  );
  await ads.jobsDone();
  await ads.changeCard(publisher, bought);
  await clock.passes(service, 3 * DAY_HOURS);
  await ads.act(publisher, bought, "resume");

  expect((await ads.statusesOf(bought)).filter((status) => status === "paid")).toHaveLength(2);
});
