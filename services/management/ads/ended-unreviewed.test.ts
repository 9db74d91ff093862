import { expect, it, vi } from "vitest";
import { ad, adInList } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { listedSubscription } from "#libs/contract/subscriptions.ts";
import { mailsTo } from "../mail/tests/sent-mails.ts";
import { webhooksApplied } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPendingAd, aPublisher, type Publisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;

type SoldAd = Awaited<ReturnType<typeof aPendingAd>>;

/** Ends the subscription of an ad at the processor, as its advertiser can. */
async function end({ caller }: Publisher, sold: SoldAd): Promise<void> {
  const { subscription } = await stripe.checkout.sessions.retrieve(sold.checkout.sessionId);
  await stripe.subscriptions.cancel(String(subscription));
  await vi.waitFor(
    async () => {
      const { status } = (await caller.ok(ad, "GET", sold.path)).subscription;
      expect(status).toBe("Canceled");
    },
    { timeout: 10_000, interval: 20 },
  );
  await webhooksApplied(service);
}

/** The ads that ended and never ran, by both lists that tell of them. */
async function neverRan({ caller, path }: Publisher) {
  const ads = await caller.ok(pageOf(adInList), "GET", `${path}/ads?subscription=NeverRan`);
  const sales = await caller.ok(
    pageOf(listedSubscription),
    "GET",
    `${path}/subscriptions?subscription=NeverRan`,
  );
  expect(sales.items.map(({ adId }) => adId)).toEqual(ads.items.map(({ id }) => id));
  return ads.items.map(({ id }) => id);
}

async function invoiceOf({ caller, path }: Publisher, sold: SoldAd) {
  const { subscription } = await caller.ok(ad, "GET", sold.path);
  const query = `subscriptionId=${subscription.id}`;
  const [paid] = (await caller.ok(pageOf(invoice), "GET", `${path}/invoices?${query}`)).items;
  if (paid === undefined) throw new Error("the subscription has no invoice");
  return paid;
}

it("lists a paid ad that nobody reviewed before its end, until it is rejected with its refund", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const { caller } = publisher;
  const running = await anApprovedAd(service, publisher);
  const pending = await aPendingAd(service, publisher);
  expect(await neverRan(publisher)).toEqual([]);

  await end(publisher, running);
  await end(publisher, pending);
  const listed = await neverRan(publisher);
  await caller.ok(ad, "POST", `${pending.path}/reject`, { note: "We were away.", refund: true });
  await webhooksApplied(service);

  expect(listed).toEqual([pending.id]);
  expect(await neverRan(publisher)).toEqual([]);
  expect((await invoiceOf(publisher, pending)).amountRefunded).toBe(4900);
  const mails = await mailsTo(service, pending.checkout.email);
  const rejected = mails.find(({ subject }) => subject === "Your ad was rejected: Example Coffee");
  expect(rejected?.text).toContain("rejected your ad “Example Coffee”. Its subscription had already ended.");
  expect(rejected?.text).toContain("Heron Weekly has refunded $49.00.");
});

it("lists it no more once it is closed without a refund, or its payment was refunded", async () => {
  const publisher = await aPublisher(service);
  const { caller, path } = publisher;
  const closed = await aPendingAd(service, publisher);
  const refunded = await aPendingAd(service, publisher);
  await end(publisher, closed);
  await end(publisher, refunded);
  const before = await neverRan(publisher);

  await caller.ok(ad, "POST", `${closed.path}/reject`, { note: "Not for our readers." });
  const { id } = await invoiceOf(publisher, refunded);
  await caller.ok(invoice, "POST", `${path}/invoices/${id}/refunds`, { amount: 4900 });

  expect(before.toSorted()).toEqual([closed.id, refunded.id].toSorted());
  expect(await neverRan(publisher)).toEqual([]);
  expect(await neverRan(await aPublisher(service))).toEqual([]);
});

it("says on the advertiser's page that the ad was never shown, and why", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const pending = await aPendingAd(service, publisher);
  const asked = await aPendingAd(service, publisher);
  const ran = await anApprovedAd(service, publisher);
  await publisher.caller.ok(ad, "POST", `${asked.path}/request-changes`, { note: "Clearer, please." });

  const texts: string[] = [];
  for (const sold of [pending, asked, ran]) {
    await end(publisher, sold);
    const { sessionId } = sold.checkout;
    const page = `/advertise/${publisher.workspace.slug}/checkout/${sessionId}`;
    texts.push((await sold.checkout.caller.request("GET", page)).text);
  }

  expect(texts[0]).toContain("ended before Heron Weekly reviewed your ad, so it was never shown.");
  expect(texts[1]).toContain("ended before your ad was approved, so it was never shown.");
  expect(texts[2]).toContain("This placement has ended.");
  expect(texts[2]).not.toContain("never shown");
});
