import { expect, it, vi } from "vitest";
import { ad as shownAd } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { mailTo } from "../../tests/joining.ts";
import { webhooksApplied } from "../../tests/ledger-story.ts";
import { startManagement } from "../../tests/management.ts";
import {
  anApprovedAd,
  aPendingAd,
  aPublisher,
  aTier,
  chargingSettles,
  type Publisher,
} from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const anybody = new ApiCaller(service.origin);
/** A card of the sandbox that pays when it is taken and fails at every renewal. */
const FAILS_LATER = "0341";

/** An ad whose advertiser has paid once. */
async function anAdOf(publisher: Publisher, email: string, price: Record<string, unknown> = {}) {
  const sold = await aTier(publisher, {
    initialPrices: [{ amount: 4900, intervalCount: 1, currency: "jpy", ...price }],
  });
  const started = await anybody.request("POST", `${publisher.path}/checkout-sessions`, {
    tierPriceId: sold.prices[0]?.id,
  });
  const { sessionId } = JSON.parse(started.text);
  const paid = await anybody.request("POST", `/sandbox/checkout/${sessionId}/complete`, {
    email,
    name: "Example Coffee",
    card: FAILS_LATER,
  });
  expect(paid.status, paid.text).toBe(200);
  const path = `/v1/checkout-sessions/${sessionId}`;
  const ad = await anybody.ok(submittedAd, "POST", `${path}/ad`, {
    name: "Fresh beans",
    websiteUrl: "https://coffee.example",
  });
  const approved = await publisher.caller.request("POST", `${publisher.path}/ads/${ad.id}/approve`);
  expect(approved.status, approved.text).toBe(200);
  // Only approved ads renew.
  await chargingSettles(service);
  return { ...ad, sessionId, path, email };
}

async function subscriptionOf(adId: string) {
  const { rows } = await service.database.pool.query<{ id: string; advertiser: string; status: string }>(
    "select provider_subscription_id as id, advertiser_id as advertiser, s.status from subscriptions s join ads a on a.subscription_id = s.id where a.id = $1",
    [adId],
  );
  return rows[0] ?? { id: "", advertiser: "", status: "" };
}

async function reaches(adId: string, status: string): Promise<void> {
  await vi.waitFor(async () => expect((await subscriptionOf(adId)).status).toBe(status), {
    timeout: 10_000,
    interval: 30,
  });
}

async function advanceClock(days: number): Promise<void> {
  const moved = await anybody.request("POST", "/sandbox/clock/advance", { days });
  expect(moved.status, moved.text).toBe(200);
}

/** Mails to somebody with such a subject, once all that was queued has been sent. */
async function countMails(email: string, about: string): Promise<number> {
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select count(*)::int as waiting from graphile_worker.jobs where task_identifier in ('mail', 'webhook')",
    );
    expect(rows[0].waiting).toBe(0);
  }, 10_000);
  const mails = await service.readMails();
  return mails.filter(({ to, subject }) => to === email && subject.includes(about)).length;
}

/** Where an advertiser pays. Until the invoice has come, that is the billing portal. */
async function billOf({ path }: { readonly path: string }) {
  return await vi.waitFor(async () => {
    const bill = await anybody.request("GET", `${path}/billing/pay`);
    expect(bill.headers.get("location")).toContain("/invoices/");
    return bill;
  }, 10_000);
}

it("tells publisher and advertiser once that a payment failed, whatever fails after it, with the way to the bill", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const ad = await anAdOf(publisher, "coffee@example.com");

  await advanceClock(32);
  await reaches(ad.id, "PastDue");
  const asked = await mailTo(service, ad.email, "payment");
  const told = await mailTo(service, publisher.person.email, "payment");
  const bill = await billOf(ad);
  const portal = await anybody.request("GET", `${ad.path}/billing`);
  const page = await fetch(bill.headers.get("location") ?? "");
  // Further attempts fail, and the processor sends an event of each.
  await advanceClock(4);
  await advanceClock(4);

  expect(asked.subject).toBe("Your payment to Heron Weekly failed");
  expect(asked.from).toBe("Heron Weekly via Placard <placard@example.org>");
  expect(asked.text).toContain("“Fresh beans” in Gold (¥4,900/month)");
  expect(asked.text).toContain(
    `${service.origin}/advertise/${publisher.workspace.id}/checkout/${ad.sessionId}/billing/pay\n`,
  );
  expect(told.subject).toBe("Example Coffee's payment failed");
  expect(told.text).toContain(
    `/w/${publisher.workspace.id}/advertisers/${(await subscriptionOf(ad.id)).advertiser}\n`,
  );
  expect(bill.status).toBe(303);
  expect(portal.headers.get("location")).toContain("/sandbox/portal/");
  expect([page.status, new URL(page.url).origin]).toEqual([200, service.origin]);
  expect(await page.text()).toContain("4,900");
  // And once that the grace is over.
  for (const about of ["failed", "is paused"]) {
    await mailTo(service, publisher.person.email, about);
    await mailTo(service, ad.email, about);
    expect(await countMails(ad.email, about)).toBe(1);
    expect(await countMails(publisher.person.email, about)).toBe(1);
  }
});

it("tells the advertiser once when a payment that had failed goes through after all", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const ad = await anAdOf(publisher, "late-coffee@example.com");
  await advanceClock(32);
  await reaches(ad.id, "PastDue");
  const { pathname } = new URL((await billOf(ad)).headers.get("location") ?? "");

  const paid = await anybody.request("POST", `${pathname}/pay`, { card: "4242" });
  expect(paid.status, paid.text).toBe(200);
  await reaches(ad.id, "Active");

  const told = await mailTo(service, ad.email, "went through");
  expect(told.text).toContain("Your payment to Heron Weekly for “Fresh beans” in Gold went through.");
  expect(await countMails(ad.email, "went through")).toBe(1);
});

it("tells the publisher of a planned cancellation with its day, and no more when it comes", async () => {
  const publisher = await aPublisher(service);
  const running = await anApprovedAd(service, publisher);
  const { id } = await subscriptionOf(running.id);

  await service.processor.stripe.subscriptions.update(id, {
    cancel_at_period_end: true,
    cancellation_details: { comment: "Too dear for us" },
  });
  const told = await mailTo(service, publisher.person.email, " canceled");
  await advanceClock(40);
  await reaches(running.id, "Canceled");

  expect(told.text).toMatch(/stays live until \w+ \d+, \d{4}, then the subscription ends/);
  expect(told.text).toContain("  Too dear for us\n");
  expect(await countMails(publisher.person.email, " canceled")).toBe(1);
  expect(await countMails(publisher.person.email, "has ended")).toBe(0);
});

it("tells both that an ad never ran because nobody reviewed it before its end, and the publisher where to decide about the money", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const pending = await aPendingAd(service, publisher);
  const { id } = await subscriptionOf(pending.id);

  await service.processor.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const warned = await mailTo(service, publisher.person.email, " canceled");
  await advanceClock(40);
  await reaches(pending.id, "Canceled");
  const asked = await mailTo(service, publisher.person.email, "has ended");
  const told = await mailTo(service, pending.checkout.email, "has ended");

  const page = `${service.origin}/w/${publisher.workspace.id}/ads/${pending.id}\n`;
  expect(warned.text).not.toContain("stays live");
  expect(warned.text).toContain("You haven't reviewed the ad yet. If you approve it, it runs until then.");
  expect(warned.text).toContain(page);
  expect(asked.text).toContain("You didn't review the ad before that, so it never ran.");
  expect(asked.text).toContain("Reject the ad to refund it, or to close it without a refund.");
  expect(asked.text).toContain(page);
  expect(told.text).toContain("Heron Weekly didn't review your ad before that, so it was never shown.");
  expect(told.text).toContain("Contact Heron Weekly about a refund.");
  expect(told.text).not.toContain("no longer shown");
});

it("speaks of no review where changes were requested, and of no payment where it was refunded", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const { caller, path } = publisher;
  const pending = await aPendingAd(service, publisher);
  await caller.ok(shownAd, "POST", `${pending.path}/request-changes`, { note: "A clearer name, please." });
  await webhooksApplied(service);
  const [paid] = (await caller.ok(pageOf(invoice), "GET", `${path}/invoices`)).items;
  await caller.ok(invoice, "POST", `${path}/invoices/${paid?.id}/refunds`, { amount: 4900 });

  await service.processor.stripe.subscriptions.cancel((await subscriptionOf(pending.id)).id);
  await reaches(pending.id, "Canceled");
  const asked = await mailTo(service, publisher.person.email, "has ended");
  const told = await mailTo(service, pending.checkout.email, "has ended");

  expect(asked.text).toContain("The ad wasn't approved before that, so it never ran.");
  expect(asked.text).not.toContain("refund");
  expect(told.text).toContain("Your ad wasn't approved before that, so it was never shown.");
  expect(told.text).not.toContain("refund");
});

it("tells the publisher of a subscription that ends at once", async () => {
  const publisher = await aPublisher(service);
  const pending = await aPendingAd(service, publisher);
  const { id } = await subscriptionOf(pending.id);

  await service.processor.stripe.subscriptions.cancel(id);

  const told = await mailTo(service, publisher.person.email, "has ended");
  expect(told.text).toContain(
    "Example Coffee's subscription for “Example Coffee” in Gold ($49/month) has ended.",
  );
  expect(await countMails(publisher.person.email, "has ended")).toBe(1);
});

it("tells the publisher of an end that they are causing only once that has failed", async () => {
  const publisher = await aPublisher(service);
  const pending = await aPendingAd(service, publisher);
  const { id } = await subscriptionOf(pending.id);
  // As while a rejection waits for the payment processor.
  await service.database.pool.query(
    "update subscriptions set claim = 'ad.reject:a slow one', claimed_until = now() + interval '1 minute' where provider_subscription_id = $1",
    [id],
  );

  await service.processor.stripe.subscriptions.cancel(id);
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select from graphile_worker.jobs where task_identifier = 'webhook' and last_error like '%is ending the subscription%'",
    );
    expect(rows).not.toHaveLength(0);
  }, 10_000);
  const meanwhile = await service.readMails();
  await service.database.pool.query(
    "update subscriptions set claim = null, claimed_until = null where provider_subscription_id = $1",
    [id],
  );
  await reaches(pending.id, "Canceled");

  const ended = ({ to, subject }: { to: string; subject: string }) =>
    to === publisher.person.email && subject.includes("has ended");
  expect(meanwhile.filter(ended)).toHaveLength(0);
  expect(await countMails(publisher.person.email, "has ended")).toBe(1);
});

it("tells the publisher of neither where both are turned off, and the advertiser all the same", async () => {
  const publisher = await aPublisher(service, "Quiet Weekly");
  const ad = await anAdOf(publisher, "quiet-coffee@example.com");
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    mails: { paymentFailed: false, subscriptionCanceled: false },
  });

  await advanceClock(32);
  await reaches(ad.id, "PastDue");
  await service.processor.stripe.subscriptions.cancel((await subscriptionOf(ad.id)).id);
  await reaches(ad.id, "Canceled");

  expect(await countMails(ad.email, "payment")).toBe(1);
  expect(await countMails(publisher.person.email, "payment")).toBe(0);
  expect(await countMails(publisher.person.email, "has ended")).toBe(0);
});

it("leads to the advertiser's own pages while nothing is to be paid, and nowhere before payment", async () => {
  const publisher = await aPublisher(service);
  const pending = await aPendingAd(service, publisher);
  const sold = await aTier(publisher);
  const unpaid = await anybody.request("POST", `${publisher.path}/checkout-sessions`, {
    tierPriceId: sold.prices[0]?.id,
  });

  const portal = await anybody.request("GET", `${pending.checkout.path}/billing`);
  const early = await anybody.request(
    "GET",
    `/v1/checkout-sessions/${JSON.parse(unpaid.text).sessionId}/billing`,
  );
  const unknown = await anybody.request("GET", "/v1/checkout-sessions/cs_test_0000000000000000/billing");
  const away = await service.processor.while("failing", () =>
    anybody.request("GET", `${pending.checkout.path}/billing`),
  );

  expect(portal.status).toBe(303);
  expect(portal.headers.get("cache-control")).toBe("no-store");
  expect((await fetch(portal.headers.get("location") ?? "")).status).toBe(200);
  expect([early.status, unknown.status, away.status]).toEqual([409, 404, 502]);
});
