import { expect, it } from "vitest";
import { adInList } from "#libs/contract/ad.ts";
import { advertiserPage } from "#libs/contract/advertisers.ts";
import { pageOf } from "#libs/contract/query.ts";
import { listedSubscription } from "#libs/contract/subscriptions.ts";
import { billed, webhooksApplied } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPaidCheckout, aPublisher, aTier } from "../tests/story.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { db } = service.database;
const publisher = await aPublisher(service);
const neighbour = await aPublisher(service, "Another Weekly");
const { caller, path } = publisher;

const good = await anApprovedAd(service, publisher);
const owing = await anApprovedAd(service, publisher);
const unpaid = await anApprovedAd(service, publisher);
const paused = await anApprovedAd(service, publisher);
const leaving = await anApprovedAd(service, publisher);
const leavingOnADay = await anApprovedAd(service, publisher);
const theirs = await anApprovedAd(service, neighbour);
await billed(service, publisher.workspace.id, 6);
await billed(service, neighbour.workspace.id, 1);
await webhooksApplied(service);
await caller.request("POST", `${paused.path}/pause`);
await becomes(owing, { status: "PastDue" });
await becomes(unpaid, { status: "Unpaid" });
await becomes(leaving, { cancel_at_period_end: true });
await becomes(leavingOnADay, { cancel_at: new Date(Date.now() + 86_400_000) });
for (const one of [owing, unpaid, theirs]) await owes(one);

type Sold = typeof good;

async function becomes(
  sold: Sold,
  changes: {
    readonly status?: "PastDue" | "Unpaid";
    readonly cancel_at_period_end?: boolean;
    readonly cancel_at?: Date;
  },
): Promise<void> {
  await db.updateTable("subscriptions").set(changes).where("id", "=", sold.subscription.id).execute();
}

/** A dollar of the newest invoice is paid, and the rest still owed. */
async function owes(sold: Sold): Promise<void> {
  await db
    .updateTable("invoices")
    .set({ status: "open", amount_paid: 100, paid_at: null })
    .where("subscription_id", "=", sold.subscription.id)
    .execute();
}

async function adsOf(query: string): Promise<string[]> {
  const { items, total } = await caller.ok(pageOf(adInList), "GET", `${path}/ads?${query}`);
  expect(items).toHaveLength(total);
  return items.map(({ id }) => id).toSorted();
}

async function advertisersOf(query: string) {
  return await caller.ok(advertiserPage, "GET", `${path}/advertisers?${query}`);
}

it.each([
  ["PastDue", [owing, unpaid]],
  ["Paused", [paused]],
  ["Canceling", [leaving, leavingOnADay]],
] as const)("finds the ads and the advertisers with a subscription that is %s", async (state, sold) => {
  const { items } = await advertisersOf(`subscription=${state}`);

  expect(await adsOf(`subscription=${state}`)).toEqual(sold.map(({ id }) => id).toSorted());
  expect(items.map(({ id }) => id).toSorted()).toEqual(
    sold.map(({ subscription }) => subscription.advertiser.id).toSorted(),
  );
});

it("tells what each advertiser owes, and what all owe together, of this workspace only", async () => {
  const { items, unpaid: inAll } = await advertisersOf("subscription=PastDue");

  expect(items.map(({ totals }) => [totals.unpaidAmount, totals.pastDueSubscriptions])).toEqual([
    [4800, 1],
    [4800, 1],
  ]);
  expect(inAll).toEqual([{ currency: "usd", amount: 9600 }]);
  const { items: all } = await advertisersOf("");
  expect(all.reduce((sum, { totals }) => sum + totals.unpaidAmount, 0)).toBe(9600);
  expect(all.reduce((sum, { totals }) => sum + totals.pausedSubscriptions, 0)).toBe(1);
});

it("sorts advertisers by what they owe, bring in a month and have paid, and by name and age", async () => {
  const dear = await aTier(publisher, {
    initialPrices: [{ amount: 99_900, interval: "Year", intervalCount: 1, currency: "usd" }],
  });
  const { email } = await aPaidCheckout(service, publisher, dear.prices[0]?.id ?? "");
  await billed(service, publisher.workspace.id, 7);
  await webhooksApplied(service);

  const by = async (sort: string) => (await advertisersOf(`sort=${sort}`)).items;

  expect((await by("unpaid")).map(({ totals }) => totals.unpaidAmount)).toEqual([4800, 4800, 0, 0, 0, 0, 0]);
  expect((await by("monthly"))[0]?.email).toBe(email);
  expect((await by("lifetime"))[0]?.email).toBe(email);
  const ages = (await by("oldest")).map(({ createdAt }) => createdAt);
  expect(ages).toEqual(ages.toSorted());
  expect(new Set((await by("name")).map(({ id }) => id)).size).toBe(7);
  await caller.refused(422, "GET", `${path}/advertisers?sort=shoe-size`);
});

it("lists what was bought and paid without an ad until there is one", async () => {
  const sold = await aTier(publisher, { name: "Footer" });
  const bought = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "", "late@example.com");
  await bought.caller.request("GET", bought.path);
  const awaited = async () =>
    (await caller.ok(pageOf(listedSubscription), "GET", `${path}/subscriptions?ad=awaited`)).items.filter(
      ({ tier }) => tier.id === sold.id,
    );

  expect(await awaited()).toMatchObject([
    { adId: null, status: "Active", tier: { name: "Footer" }, advertiser: { email: "late@example.com" } },
  ]);

  await db
    .updateTable("subscriptions")
    .set({ status: "Incomplete" })
    .where("tier_id", "=", sold.id)
    .execute();
  expect(await awaited()).toEqual([]);
  await db.updateTable("subscriptions").set({ status: "Active" }).where("tier_id", "=", sold.id).execute();

  await bought.caller.request("POST", `${bought.path}/ad`, {
    name: "Late Coffee",
    websiteUrl: "https://late.example",
  });
  expect(await awaited()).toEqual([]);
  const { items } = await caller.ok(pageOf(listedSubscription), "GET", `${path}/subscriptions?ad=submitted`);
  expect(items.every(({ adId }) => adId !== null)).toBe(true);
});
