import { expect, it } from "vitest";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { CHARGE_AT, type ChargeAt } from "#libs/domain/settings.ts";
import { startManagement } from "../../tests/management.ts";
import { processorFacts, statusesOf } from "../../tests/processor-facts.ts";
import { allRecorded, recordEvents, seededNumbers } from "../../tests/recorded-events.ts";
import { aBoughtAd, approveForCharging, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import { reconciled, startStorm, statusesAtProcessor, totals } from "../../tests/storm.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { database, processor } = service;
const clock = sandboxClock();

const SEED = 20_261_123;
const HOUR_MS = 3_600_000;
/** The hour for which the invoice of a renewal stays a draft, and another. */
const AFTER_RENEWAL = 2;
/** Leaves an odd rest. */
const PART = 1_233;
const DAY_MS = 86_400_000;

type Bought = Awaited<ReturnType<typeof aBoughtAd>>;

/** One purchase of each kind under one way to charge. */
interface Life {
  readonly chargeAt: ChargeAt;
  readonly renewing: Bought;
  readonly refunded: Bought;
  readonly failing: Bought;
  readonly waiting: Bought;
  readonly rejected: Bought;
}

/** What came of each invoice, as the processor lists it, by its id. */
async function invoicesAtProcessor() {
  const invoices = new Map<string, { total: number; paid: number; isPaid: boolean }>();
  for await (const { id, status, total, amount_paid: paid } of processor.stripe.invoices.list({
    limit: 100,
  })) {
    if (id !== undefined) invoices.set(id, { total, paid, isPaid: status === "paid" });
  }
  return invoices;
}

async function invoicesOf({ caller, path }: Publisher, bought: Bought) {
  const { subscription } = await caller.ok(ad, "GET", bought.path);
  const list = `${path}/invoices?advertiserId=${subscription.advertiser.id}`;
  return (await caller.ok(pageOf(invoice), "GET", list)).items;
}

it("agrees with the processor to the cent after three months of both ways to charge, refunds and failed renewals, with webhooks shuffled, repeated and lost", async () => {
  const recorded = await recordEvents(service);
  const storm = startStorm(service, recorded, seededNumbers(SEED));
  const publisher = await aPublisher(service);
  const { caller, path } = publisher;
  const buy = async (card: string) => {
    const bought = await aBoughtAd(service, publisher, card);
    storm.takeNew();
    return bought;
  };
  const eligibilityOf = async (bought: Bought) =>
    await caller.ok(eligibility, "GET", `${bought.path}/eligibility`);
  const monthPasses = async () => {
    const { subscription } = await caller.ok(ad, "GET", lives[0]?.renewing.path ?? "");
    const left = Date.parse(subscription.currentPeriodEnd ?? "") - clock.now();
    await clock.passes(service, Math.ceil(left / HOUR_MS) + AFTER_RENEWAL);
    await allRecorded(service, recorded);
    storm.takeNew();
    // As each hour.
    await reconciled(service);
  };
  const lives: Life[] = [];
  for (const chargeAt of CHARGE_AT) {
    await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, { chargeAt });
    lives.push({
      chargeAt,
      renewing: await buy(CARDS.sound),
      refunded: await buy(CARDS.sound),
      failing: await buy(CARDS.failing),
      waiting: await buy(CARDS.sound),
      rejected: await buy(CARDS.sound),
    });
  }

  for (const { renewing, refunded, failing } of lives) {
    for (const bought of [renewing, refunded, failing]) await approveForCharging(publisher, bought);
  }
  await monthPasses();
  const failing = lives.map((life) => life.failing);
  const renewedAt = clock.now();
  const inGrace = await Promise.all(failing.map(eligibilityOf));
  for (const { refunded, rejected, waiting } of lives) {
    const [newest] = await invoicesOf(publisher, refunded);
    await caller.ok(invoice, "POST", `${path}/invoices/${newest?.id}/refunds`, { amount: PART });
    await caller.ok(ad, "POST", `${rejected.path}/reject`, { note: "Not for our readers.", refund: true });
    await approveForCharging(publisher, waiting);
  }
  await monthPasses();
  await monthPasses();
  await storm.end();
  const report = await reconciled(service);
  const facts = await processorFacts(database);
  const { atProcessor, shown } = await totals(service, publisher, 12);

  expect(report.failed.count).toBe(0);
  expect(atProcessor.refunded).toBeGreaterThan(2 * PART);
  expect(shown).toEqual(atProcessor);
  expect(statusesOf(facts)).toEqual(await statusesAtProcessor(service));
  const known = new Map(
    (facts.invoices ?? []).map((row) => [
      row.provider_invoice_id,
      { total: row.total, paid: row.amount_paid, isPaid: String(row.status).toLowerCase() === "paid" },
    ]),
  );
  expect(known).toEqual(await invoicesAtProcessor());
  for (const { chargeAt, renewing, rejected, ...life } of lives) {
    const paidBy = async (bought: Bought) =>
      (await invoicesOf(publisher, bought)).reduce(
        (sum, one) => sum + one.amountPaid - one.amountRefunded,
        0,
      );
    expect(await paidBy(rejected), chargeAt).toBe(0);
    expect(await paidBy(renewing), chargeAt).toBeGreaterThanOrEqual(3 * 4_900);
    // Charged at approval, the card fails at once: its holder was there at checkout, and no longer.
    expect(await paidBy(life.failing), chargeAt).toBe(chargeAt === "purchase" ? 4_900 : 0);
  }
  const isEligible = inGrace.map(({ eligible }) => eligible);
  expect(Object.fromEntries(CHARGE_AT.map((chargeAt, at) => [chargeAt, isEligible[at]]))).toEqual({
    purchase: true,
    approval: false,
  });
  const graceDaysLeft = (Date.parse(inGrace[0]?.graceEndsAt ?? "") - renewedAt) / DAY_MS;
  expect(graceDaysLeft).toBeGreaterThan(2);
  expect(graceDaysLeft).toBeLessThanOrEqual(3);
  for (const { eligible } of await Promise.all(failing.map(eligibilityOf))) expect(eligible).toBe(false);
});
