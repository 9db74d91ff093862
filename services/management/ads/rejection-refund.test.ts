import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { mailsTo } from "../mail/tests/sent-mails.ts";
import { actionsOn, auditTrail } from "../tests/audit-trail.ts";
import { invoiceOf } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPendingAd, aPublisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { processor } = service;
const publisher = await aPublisher(service);
const { caller } = publisher;
const note = "Not for our readers.";

type SoldAd = Awaited<ReturnType<typeof aPendingAd>>;

async function subscriptionOf({ checkout }: SoldAd) {
  const { subscription } = await processor.stripe.checkout.sessions.retrieve(checkout.sessionId);
  return String(subscription);
}

/** What the processor has refunded of a sale, newest first. */
async function refundsOf(sold: SoldAd) {
  const payments = await processor.stripe.invoices.list({ subscription: await subscriptionOf(sold) });
  const amounts: number[] = [];
  for (const { id } of payments.data) {
    const charge = await service.services.payments.readChargeOfInvoice(id, null);
    amounts.push(...(charge?.refunds.map(({ amount }) => amount) ?? []));
  }
  return amounts;
}

function reject(sold: SoldAd, body: object = { refund: true }) {
  return caller.request("POST", `${sold.path}/reject`, { note, ...body });
}

/** The letters to the advertiser about the rejection and about refunds. */
async function lettersTo({ checkout: { email } }: SoldAd) {
  return (await mailsTo(service, email)).filter(({ subject }) => /rejected|refunded/.test(subject));
}

async function ledgerOf(sold: SoldAd) {
  const { subscription } = await caller.ok(ad, "GET", sold.path);
  const path = `${publisher.path}/invoices?subscriptionId=${subscription.id}`;
  return (await caller.ok(pageOf(invoice), "GET", path)).items;
}

it("refunds everything with the rejection of an ad that never ran, and says so in the one letter", async () => {
  const sold = await aPendingAd(service, publisher);

  const rejected = await reject(sold);

  expect(rejected.status, rejected.text).toBe(200);
  expect(ad.parse(JSON.parse(rejected.text))).toMatchObject({
    status: "Rejected",
    subscription: { status: "Canceled" },
  });
  expect(await refundsOf(sold)).toEqual([4900]);
  const letters = await lettersTo(sold);
  expect(letters.map(({ subject }) => subject)).toEqual(["Your ad was rejected: Example Coffee"]);
  expect(letters[0]?.text).toContain("You won't be charged again. Example Weekly has refunded $49.00.");
  const [billed] = await ledgerOf(sold);
  expect(billed).toMatchObject({ amountPaid: 4900, amountRefunded: 4900 });
  expect(billed?.refunds).toMatchObject([{ amount: 4900, note: "The subscription was ended." }]);
  expect(await auditTrail(service, billed?.id ?? "")).toMatchObject([
    { action: "invoice.refund", actor_kind: "key", after: { amount: 4900 } },
  ]);
});

it("refunds the unused part of the period with the rejection of an ad that ran", async () => {
  const sold = await anApprovedAd(service, publisher);

  await reject(sold);

  const { ended_at: endedAt, items } = await processor.stripe.subscriptions.retrieve(
    await subscriptionOf(sold),
  );
  const { current_period_start: start = 0, current_period_end: end = 0 } = items.data[0] ?? {};
  const unused = Math.floor((4900 * (end - (endedAt ?? 0))) / (end - start));
  expect(await refundsOf(sold)).toEqual([unused]);
  const [letter] = await lettersTo(sold);
  expect(letter?.text).toContain("for the rest of the period.");
  expect((await ledgerOf(sold))[0]?.amountRefunded).toBe(unused);
});

it("refunds nothing with a rejection that does not say so, and says that", async () => {
  const sold = await aPendingAd(service, publisher);

  await reject(sold, {});

  expect(await refundsOf(sold)).toEqual([]);
  const [letter] = await lettersTo(sold);
  expect(letter?.text).toContain("Your payment isn't refunded automatically.");
});

it("refunds what is left when a part was refunded before", async () => {
  const sold = await aPendingAd(service, publisher);
  const id = await invoiceOf(service, (await caller.ok(ad, "GET", sold.path)).subscription.advertiser.id);
  await caller.ok(invoice, "POST", `${publisher.path}/invoices/${id}/refunds`, { amount: 900 });

  await reject(sold);

  expect((await refundsOf(sold)).toSorted()).toEqual([4000, 900]);
  expect((await lettersTo(sold)).map(({ subject }) => subject).toSorted()).toEqual([
    "Example Weekly has refunded $9.00",
    "Your ad was rejected: Example Coffee",
  ]);
});

it("leaves out what the bank has taken back, and does not claim to have refunded it", async () => {
  const sold = await aPendingAd(service, publisher);
  const [billed] = (await processor.stripe.invoices.list({ subscription: await subscriptionOf(sold) })).data;
  const charge = await service.services.payments.readChargeOfInvoice(billed?.id ?? "", null);
  await caller.request("POST", `/sandbox/charges/${charge?.id}/dispute`, {});

  const rejected = await reject(sold);

  expect(rejected.status).toBe(200);
  expect(await refundsOf(sold)).toEqual([]);
  expect((await lettersTo(sold)).at(-1)?.text).not.toContain("has refunded");
});

// A rejection writes twice: it cancels, then refunds.
it("refunds once when the answer to the cancellation is lost and the publisher tries again", async () => {
  const sold = await aPendingAd(service, publisher);

  processor.loseAnswerToWrite(1);
  const first = await reject(sold);
  const again = first.status === 200 ? first : await reject(sold);

  expect(again.status, again.text).toBe(200);
  expect(await refundsOf(sold)).toEqual([4900]);
  expect(await lettersTo(sold)).toHaveLength(1);
  expect((await ledgerOf(sold))[0]?.amountRefunded).toBe(4900);
});

it("refunds once when the answer to the refund is lost, and tells of it once it is known", async () => {
  const sold = await aPendingAd(service, publisher);

  processor.loseAnswerToWrite(2);
  const rejected = await reject(sold);

  expect(rejected.status, rejected.text).toBe(200);
  expect(await refundsOf(sold)).toEqual([4900]);
  await vi.waitFor(
    async () =>
      expect((await lettersTo(sold)).map(({ subject }) => subject)).toEqual([
        "Your ad was rejected: Example Coffee",
        "Example Weekly has refunded $49.00",
      ]),
    20_000,
  );
  expect((await ledgerOf(sold))[0]?.amountRefunded).toBe(4900);
});

it("refunds once when every answer is lost, and finishes when the publisher tries again", async () => {
  const sold = await anApprovedAd(service, publisher);

  const lost = await processor.while("mute", () => reject(sold));
  const again = await reject(sold);
  const third = await reject(sold);

  expect([lost.status, again.status, third.status]).toEqual([502, 200, 409]);
  expect(await refundsOf(sold)).toHaveLength(1);
  expect(await actionsOn(service, sold.id)).toEqual(["ad.submit", "ad.approve", "ad.reject"]);
  expect(await lettersTo(sold)).toHaveLength(1);
});

it("tells of the refund of a rejection that was cut off, although the repeated one asks for none", async () => {
  const sold = await aPendingAd(service, publisher);
  const [billed] = (await processor.stripe.invoices.list({ subscription: await subscriptionOf(sold) })).data;
  const charge = await service.services.payments.readChargeOfInvoice(billed?.id ?? "", null);
  // What the first attempt has made at the processor.
  const cutOff = await processor.while("mute", () => reject(sold));
  await service.services.payments.refundCharge(charge?.id ?? "", {
    account: null,
    amount: 4900,
    idempotencyKey: `reject:${sold.id}:${billed?.id}`,
  });

  const again = await reject(sold, {});

  expect([cutOff.status, again.status]).toEqual([502, 200]);
  expect(await refundsOf(sold)).toEqual([4900]);
  const letters = await lettersTo(sold);
  expect(letters).toHaveLength(1);
  expect(letters[0]?.text).toContain("has refunded $49.00");
  expect((await ledgerOf(sold))[0]?.amountRefunded).toBe(4900);
  const trail = await auditTrail(service, (await ledgerOf(sold))[0]?.id ?? "");
  expect(trail.filter(({ action }) => action === "invoice.refund")).toHaveLength(1);
});

it("does not speak of a refund where nothing is left of what was paid", async () => {
  const sold = await aPendingAd(service, publisher);
  const { subscription } = await caller.ok(ad, "GET", sold.path);
  const id = await invoiceOf(service, subscription.advertiser.id);
  await caller.ok(invoice, "POST", `${publisher.path}/invoices/${id}/refunds`, {});

  await reject(sold, {});

  const letter = (await lettersTo(sold)).find(({ subject }) => subject.includes("rejected"));
  expect(letter?.text).toContain("You won't be charged.");
  expect(letter?.text).not.toContain("refund");
});

it("refunds once when two reject at the same time", async () => {
  const sold = await aPendingAd(service, publisher);

  const answers = await Promise.all([reject(sold), reject(sold)]);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await refundsOf(sold)).toEqual([4900]);
  expect(await lettersTo(sold)).toHaveLength(1);
});
