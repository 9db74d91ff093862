import type { Stripe } from "stripe";
import { expect } from "vitest";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { type Invoice, invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { isOnAir, isSettled, type Life, type Payment, statusOf } from "./life.ts";
import { graceEnd } from "./passing.ts";
import { LEFT_OUT, type Scene, type Sold } from "./scene.ts";

/** Compares one purchase with the model: at the processor, in the ledger, on the air and in the answers about it. */
export async function compareOne(scene: Scene, sold: Sold): Promise<void> {
  const { life } = sold;
  checkTime(life, scene.world.now);
  const data = await scene.rig.service.processor.stripe.invoices
    .list({ subscription: sold.subscription, limit: 100 })
    .autoPagingToArray({ limit: 1000 });
  compareInvoices(life, data);
  await compareSubscription(scene, sold);
  if (sold.adId === "") return;
  const { publisher } = scene;
  const list = `${publisher.path}/invoices?subscriptionId=${sold.ourId}&perPage=100`;
  const [shown, served, { items }] = await Promise.all([
    publisher.caller.ok(ad, "GET", sold.path),
    publisher.caller.ok(eligibility, "GET", `${sold.path}/eligibility`),
    publisher.caller.ok(pageOf(invoice), "GET", list),
  ]);
  if (data.length <= 100) compareLedger(life, data, items);
  const graceEndsAt = graceEnd(life, scene.world);
  const { subscription } = shown;
  const isStopped = life.stop?.reason === "unpaid";
  const seen = {
    review: shown.status,
    // The processor may leave an owed subscription in either.
    status: subscription.status === "Unpaid" ? "PastDue" : subscription.status,
    periodStart: seconds(subscription.currentPeriodStart),
    periodEnd: seconds(subscription.currentPeriodEnd),
    isLeaving: subscription.cancelAtPeriodEnd,
    graceEndsAt: isStopped ? null : seconds(subscription.graceEndsAt),
    eligible: served.eligible,
  };
  const expected = {
    review: life.review,
    status: statusOf(life),
    periodStart: life.endedAt === null ? life.period.start : seen.periodStart,
    periodEnd: life.endedAt === null ? life.period.end : seen.periodEnd,
    isLeaving: life.endedAt === null ? life.isLeaving : seen.isLeaving,
    graceEndsAt,
    eligible: isOnAir(life),
  };
  expect(seen).toEqual(expected);
  if (expected.eligible) {
    const ends = [graceEndsAt, life.isLeaving ? life.grid.end : null].filter((at) => at !== null);
    expect({ servingUntil: seconds(served.servingUntil) }).toEqual({
      servingUntil: ends.length === 0 ? null : Math.min(...ends),
    });
  }
  await compareServing(scene, [sold]);
}

/** Compares what serving has been given. */
export async function compareServing({ rig, publisher }: Scene, all: readonly Sold[]): Promise<void> {
  const snapshot = await rig.service.placements.read(publisher.workspace.id);
  const now = Date.now();
  for (const { life, adId } of all) {
    if (adId === "") continue;
    const found = snapshot?.ads.find(({ id }) => id === adId);
    const isServed =
      found !== undefined &&
      found.servingSince !== null &&
      found.servingSince <= now &&
      (found.servingUntil ?? Number.POSITIVE_INFINITY) > now;
    expect({ name: life.name, isServed }).toEqual({ name: life.name, isServed: isOnAir(life) });
  }
}

/** Every second on the air was sold, or is the grace of a period that was never paid; every second sold is on the air, waited, lost or left. */
function checkTime(life: Life, now: number): void {
  const { time, period, stop, endedAt } = life;
  const from = stop?.at ?? now;
  const left = endedAt === null && isSettled(period) ? period.end - from : 0;
  expect({ onAir: time.onAir }).toEqual({
    onAir: time.sold - left - time.waited - time.lost + time.graceUnpaid,
  });
}

/** Compares when the processor renews by itself, and whether it collects what it renews. */
async function compareSubscription({ rig }: Scene, { life, subscription }: Sold): Promise<void> {
  const { status, items, billing_cycle_anchor, pause_collection, trial_end, ended_at } =
    await rig.service.processor.stripe.subscriptions.retrieve(subscription);
  // The service ends a period that waits for its charge when it learns of the cancellation.
  const isExact = !life.isHeld || life.endedAt === null || ended_at === null;
  if (isExact) expect({ endedAt: ended_at }).toEqual({ endedAt: life.endedAt });
  if (life.endedAt !== null) return;
  const { anchor, end } = life.grid;
  // A card that was saved waits for a charge in the far future instead.
  const isHeld = life.isHeld && life.period.bill !== "saved";
  expect({
    end: items.data[0]?.current_period_end,
    anchor: billing_cycle_anchor,
    trialEnd: status === "trialing" ? trial_end : end,
    isCollected: pause_collection === null,
  }).toEqual({ end, anchor, trialEnd: end, isCollected: life.stop === null && !isHeld });
}

function compareInvoices(life: Life, invoices: readonly Stripe.Invoice[]): void {
  const of = (status: string) =>
    invoices.filter((one) => one.status === status && one.total > 0).toReversed();
  const seen = {
    paid: of("paid").map(({ amount_paid: amount, status_transitions: { paid_at: at } }) => ({ amount, at })),
    open: of("open").map(({ amount_remaining: amount, auto_advance, next_payment_attempt }) => ({
      amount,
      nextAt: auto_advance === false ? null : next_payment_attempt,
    })),
    drafts: of("draft").length,
  };
  const isPaused = life.stop?.reason === "paused";
  // The bill of a pause stays what it was, an open invoice or a draft.
  const isShelvedDraft = isPaused && life.owed !== null && seen.open.length === 0 && seen.drafts === 1;
  const mayOwe = life.endedAt !== null && LEFT_OUT.includes("invoices of ended subscriptions");
  expect(seen).toEqual({
    paid: life.payments.map(({ amount, at }) => ({ amount, at })),
    open:
      mayOwe || isShelvedDraft
        ? seen.open
        : life.owed === null
          ? []
          : [{ amount: life.owed.amount, nextAt: isPaused ? null : life.owed.nextAt }],
    drafts:
      mayOwe || isShelvedDraft
        ? seen.drafts
        : life.period.bill === "draft" && life.endedAt === null && seen.drafts > 0
          ? 1
          : 0,
  });
}

function compareLedger(life: Life, atProcessor: readonly Stripe.Invoice[], here: readonly Invoice[]): void {
  const facts = (
    all: readonly { number: string | null; status: string | null; total: number; paid: number }[],
  ) =>
    all
      // No webhook tells of a draft; the ledger has it by chance.
      .filter(({ status }) => status !== "draft")
      .map(({ number, status, total, paid }) => `${number} ${status} ${total} ${paid}`)
      .sort();
  expect(facts(here.map(({ amountPaid: paid, ...one }) => ({ ...one, paid })))).toEqual(
    facts(atProcessor.map(({ amount_paid: paid, ...one }) => ({ ...one, paid }))),
  );
  const back = here
    .filter(({ amountPaid }) => amountPaid > 0)
    .toReversed()
    .map(({ amountRefunded: refunded, dispute }) => ({ refunded, dispute: disputeWord(dispute?.status) }));
  expect(back).toEqual(life.payments.map(({ refunded, dispute }) => ({ refunded, dispute })));
}

function disputeWord(status: string | undefined): Payment["dispute"] {
  if (status === undefined) return null;
  const word = status.toLowerCase();
  return word === "won" || word === "lost" ? word : "open";
}

function seconds(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment) / 1000;
}
