import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { advertiser, advertiserPage } from "#libs/contract/advertisers.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { encodeEventRow } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { invoiceOf, webhooksApplied } from "../../tests/ledger-story.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier, chargingSettles, type Publisher } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { stripe } = service.processor;
const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
const page = advertiserPage;

/** A purchase by the one with that address, known here, with the processor's subscription. */
async function aPurchase(publisher: Publisher, price: Record<string, unknown>, email: string, name?: string) {
  const sold = await aTier(publisher, {
    initialPrices: [{ intervalCount: 1, currency: "usd", amount: 4900, ...price }],
  });
  const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "", email);
  await checkout.caller.request("GET", checkout.path);
  if (name !== undefined) {
    await service.database.db
      .updateTable("advertisers")
      .set({ name })
      .where("workspace_id", "=", publisher.workspace.id)
      .where("email", "=", email.toLowerCase())
      .execute();
  }
  // What the processor says of it later would be written over what follows.
  await webhooksApplied(service);
  await chargingSettles(service);
  const { subscription } = await stripe.checkout.sessions.retrieve(checkout.sessionId);
  const submit = () => checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative);
  return { checkout, submit, providerId: String(subscription) };
}

async function advertiserOf(publisher: Publisher, email: string) {
  const { items } = await publisher.caller.ok(page, "GET", `${publisher.path}/advertisers?query=${email}`);
  const [found] = items;
  if (found === undefined) throw new Error(`there is no advertiser ${email}`);
  return { ...found, path: `${publisher.path}/advertisers/${found.id}` };
}

it("adds up an advertiser's ads, counts and money", async () => {
  const publisher = await aPublisher(service);
  const email = "ada@example.com";
  const monthly = await aPurchase(publisher, { amount: 4900 }, email);
  const yearly = await aPurchase(publisher, { amount: 36_525, interval: "Year" }, email);
  const inEuro = await aPurchase(publisher, { amount: 100_000, currency: "eur" }, email);
  const first = await monthly.submit();
  const second = await yearly.submit();
  await publisher.caller.ok(ad, "POST", `${publisher.path}/ads/${first.id}/approve`);
  await chargingSettles(service);
  const seen = [1, 2, 3].map((visitor) =>
    Buffer.from(
      encodeEventRow({
        id: newId("event"),
        workspaceId: publisher.workspace.id,
        adId: first.id,
        kind: visitor === 3 ? "click" : "impression",
        verdict: "valid",
        visitor: String(visitor).padStart(16, "0"),
        occurredAt: Date.now() - 90 * 86_400_000,
        source: "page",
        place: NO_PLACE,
      }),
    ),
  );
  await service.services.stats.insertRange({ token: crypto.randomUUID(), rows: seen });
  const { path } = await advertiserOf(publisher, email);

  const shown = await publisher.caller.ok(advertiser, "GET", path);

  expect(inEuro.checkout.email).toBe(email);
  expect(shown).toMatchObject({
    email,
    totals: {
      ads: 2,
      activeAds: 1,
      activeSubscriptions: 3,
      impressions: 2,
      clicks: 1,
      // 49.00 a month and a twelfth of 365.25; the euros are another currency, never added up.
      monthlyAmount: 4900 + Math.round(36_525 / 12),
      lifetimeAmount: 4900 + 36_525,
      currency: "usd",
      churnedAt: null,
      canceling: false,
      cancelAt: null,
      cancellationSummary: null,
    },
    latestAd: { id: second.id },
  });
  expect((await advertiserOf(publisher, email)).totals).toEqual(shown.totals);
  expect(shown.ads.map(({ id, stats }) => [id, stats])).toEqual([
    [second.id, { impressions: 0, clicks: 0 }],
    [first.id, { impressions: 2, clicks: 1 }],
  ]);
  expect(shown.totals.nextRenewalAt).toBe(shown.ads[1]?.subscription.currentPeriodEnd);
});

it("tells of a cancellation to come and of the churn after it", async () => {
  const publisher = await aPublisher(service);
  const { providerId, submit } = await aPurchase(publisher, {}, "grace@example.com");
  await submit();
  const { path } = await advertiserOf(publisher, "grace@example.com");

  await stripe.subscriptions.update(providerId, {
    cancel_at_period_end: true,
    cancellation_details: { feedback: "too_expensive" },
  });
  await vi.waitFor(
    async () => {
      const { totals, ads } = await publisher.caller.ok(advertiser, "GET", path);
      expect(totals).toMatchObject({ canceling: true, activeSubscriptions: 1, nextRenewalAt: null });
      expect(totals.cancelAt).toBe(ads[0]?.subscription.currentPeriodEnd);
      expect(totals.cancellationSummary).toMatch(/^The subscription ends on .+ \(too expensive\)\.$/);
    },
    { timeout: 20_000 },
  );
  await stripe.subscriptions.cancel(providerId);

  await vi.waitFor(
    async () => {
      const { totals, ads } = await publisher.caller.ok(advertiser, "GET", path);
      expect(totals).toMatchObject({
        canceling: false,
        cancelAt: null,
        activeSubscriptions: 0,
        monthlyAmount: 0,
      });
      expect(totals.lifetimeAmount).toBe(4900);
      expect(totals.churnedAt).toBe(ads[0]?.subscription.endedAt);
    },
    { timeout: 20_000 },
  );
});

it("bills in the currency of the newest of two purchases of one second, where none is in the workspace's", async () => {
  const publisher = await aPublisher(service);
  for (const currency of ["eur", "gbp", "chf"]) await aPurchase(publisher, { currency }, "quick@example.com");
  const { db } = service.database;
  const own = db.updateTable("subscriptions").where("workspace_id", "=", publisher.workspace.id);
  // No message that is still on its way from the processor writes its own times over these.
  const forGood = { sync_version: Number.MAX_SAFE_INTEGER };
  await own.set({ current_period_start: new Date("2026-01-05T10:00:00Z"), ...forGood }).execute();
  const bought = ["eur", "chf", "gbp"].map((currency, at) => ({ currency, at }));
  for (const { currency, at } of bought) {
    const priced = db.selectFrom("prices").where("currency", "=", currency).select("id");
    const createdAt = new Date(Date.parse("2026-01-05T10:00:00.100Z") + at * 100);
    await own.where("price_id", "in", priced).set({ created_at: createdAt }).execute();
  }

  const { totals } = await advertiserOf(publisher, "quick@example.com");

  expect(totals.currency).toBe("gbp");
});

it("bills in another currency than the workspace's where nothing is bought in that", async () => {
  const publisher = await aPublisher(service);
  await aPurchase(publisher, { amount: 700, currency: "eur" }, "euro@example.com");
  const { path, totals } = await advertiserOf(publisher, "euro@example.com");

  const shown = await publisher.caller.ok(advertiser, "GET", path);

  expect(totals).toMatchObject({ currency: "eur", monthlyAmount: 700, lifetimeAmount: 700 });
  expect(shown).toMatchObject({
    latestAd: null,
    ads: [],
    totals: { ...totals, ads: 0, impressions: 0, clicks: 0 },
  });
});

it("lists advertisers newest first, with the totals of what they have bought", async () => {
  const publisher = await aPublisher(service);
  for (const email of ["a@example.com", "b@example.com", "c@example.com"]) {
    await aPurchase(publisher, {}, email);
  }

  const two = await publisher.caller.ok(page, "GET", `${publisher.path}/advertisers?perPage=2`);
  const over = await publisher.caller.ok(page, "GET", `${publisher.path}/advertisers?perPage=2&page=99`);

  expect(two.items.map(({ email }) => email)).toEqual(["c@example.com", "b@example.com"]);
  expect(two).toMatchObject({ total: 3, page: 1, perPage: 2, pageCount: 2 });
  expect(over).toMatchObject({ page: 2, items: [{ email: "a@example.com" }] });
  expect(two.items[0]?.totals).toMatchObject({
    activeSubscriptions: 1,
    monthlyAmount: 4900,
    currency: "usd",
  });
});

it("keeps an advertiser's name and customer when somebody else buys with the same address", async () => {
  const publisher = await aPublisher(service);
  const email = "known@example.com";
  const sold = await aTier(publisher);
  const priceId = sold.prices[0]?.id ?? "";
  const rowOf = async () =>
    await service.database.db
      .selectFrom("advertisers")
      .where("workspace_id", "=", publisher.workspace.id)
      .select(["id", "name", "email", "provider_customer_id"])
      .execute();
  const first = await aPaidCheckout(service, publisher, priceId, email, "Example Coffee");
  await first.caller.request("GET", first.path);
  const before = await rowOf();

  const second = await aPaidCheckout(service, publisher, priceId, email.toUpperCase(), "Mallory was here");
  await second.caller.request("GET", second.path);

  const customers = await Promise.all(
    [first, second].map(
      async ({ sessionId }) => (await stripe.checkout.sessions.retrieve(sessionId)).customer,
    ),
  );
  const { name, totals } = await publisher.caller.ok(
    advertiser,
    "GET",
    (await advertiserOf(publisher, email)).path,
  );
  expect(before).toMatchObject([{ name: "Example Coffee", provider_customer_id: customers[0] }]);
  expect(customers[1]).not.toBe(customers[0]);
  expect(await rowOf()).toEqual(before);
  expect([name, totals.activeSubscriptions]).toEqual(["Example Coffee", 2]);
});

it("finds advertisers by a part of name or address in any case, wildcards taken as they are", async () => {
  const publisher = await aPublisher(service);
  await aPurchase(publisher, {}, "hello@coffee.example", "Northwind Café 100%");
  await aPurchase(publisher, {}, "tea_house@leaves.example", "Tea\\House");
  const find = async (query: string) => {
    const path = `${publisher.path}/advertisers?query=${encodeURIComponent(query)}`;
    return (await publisher.caller.ok(page, "GET", path)).items.map(({ email }) => email);
  };
  const coffee = "hello@coffee.example";
  const tea = "tea_house@leaves.example";

  expect(await find("NORTHWIND")).toEqual([coffee]);
  expect(await find("northwind CAFÉ")).toEqual([coffee]);
  expect(await find("Coffee.Example")).toEqual([coffee]);
  expect(await find("  leaves ")).toEqual([tea]);
  expect(await find("example")).toEqual([tea, coffee]);
  expect(await find("%")).toEqual([coffee]);
  expect(await find("_")).toEqual([tea]);
  expect(await find("\\")).toEqual([tea]);
  expect(await find("o_f")).toEqual([]);
  expect(await find("' or 1=1 --")).toEqual([]);
  expect(await find("   ")).toEqual([tea, coffee]);
});

it("refuses to look for a text that is none", async () => {
  const publisher = await aPublisher(service);

  for (const query of ["x".repeat(255), "%00"]) {
    const path = `${publisher.path}/advertisers?query=${query}`;
    expect(await publisher.caller.invalid("GET", path)).toEqual(["query"]);
  }
});

it("leaves the lifetime amount without what was refunded, also in the order of the list", async () => {
  const publisher = await aPublisher(service);
  await aPurchase(publisher, { amount: 4900 }, "refunded@example.com");
  await aPurchase(publisher, { amount: 4900 }, "kept@example.com");
  const { id } = await advertiserOf(publisher, "refunded@example.com");
  const refunds = `${publisher.path}/invoices/${await invoiceOf(service, id)}/refunds`;
  await publisher.caller.ok(invoice, "POST", refunds, { amount: 4000 });

  const { items } = await publisher.caller.ok(page, "GET", `${publisher.path}/advertisers?sort=lifetime`);

  expect(items.map(({ email, totals }) => [email, totals.lifetimeAmount, totals.refundedAmount])).toEqual([
    ["kept@example.com", 4900, 0],
    ["refunded@example.com", 900, 4000],
  ]);
});

it("adds up any number of purchases, some at a time", async () => {
  const publisher = await aPublisher(service);
  await aPurchase(publisher, { amount: 100 }, "many@example.com");
  const found = await advertiserOf(publisher, "many@example.com");
  const { pool } = service.database;
  await pool.query(
    `insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
      select 'sub_' || lpad(n::text, 26, '0'), workspace_id, advertiser_id, tier_id, price_id, 'sub_of_many_' || n, 'Active'
      from subscriptions, generate_series(1, 4999) n where advertiser_id = $1`,
    [found.id],
  );
  const answers = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => answers.mockRestore());

  const { totals } = await advertiserOf(publisher, "many@example.com");

  expect(totals).toMatchObject({ activeSubscriptions: 5_000, monthlyAmount: 500_000 });
  const sizes = await Promise.all(
    answers.mock.results.map(async ({ value }) => (await value)?.rows?.length ?? 0),
  );
  expect(Math.max(...sizes)).toBe(2_000);
});

it("shows the newest hundred ads of an advertiser, and counts all of them", async () => {
  const publisher = await aPublisher(service);
  const { id: tierId, prices } = await aTier(publisher);
  const id = newId("advertiser");
  const bought = `with bought as (
      insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
      select 'sub_8' || lpad(n::text, 25, '0'), $1, $2, $3, $4, 'sub_of_agency_' || n, 'Active' from generate_series(1, 103) n
      returning id
    )
    insert into ads (id, workspace_id, subscription_id, name, website_url, status)
    select 'ad_' || substr(id, 5), $1, id, 'Ad ' || substr(id, 6)::int, 'https://coffee.example', 'Approved' from bought`;
  await service.database.pool.query(
    "insert into advertisers (id, workspace_id, name) values ($1, $2, 'Agency')",
    [id, publisher.workspace.id],
  );
  await service.database.pool.query(bought, [publisher.workspace.id, id, tierId, prices[0]?.id]);

  const shown = await publisher.caller.ok(advertiser, "GET", `${publisher.path}/advertisers/${id}`);

  expect(shown.ads.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, n) => `Ad ${103 - n}`));
  expect(shown.latestAd?.name).toBe("Ad 103");
  expect(shown.totals).toMatchObject({ ads: 103, activeAds: 103, activeSubscriptions: 103 });
});
