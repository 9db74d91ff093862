import { expect, it } from "vitest";
import { z } from "zod";
import { pageOf } from "#libs/contract/query.ts";
import { newId } from "#libs/domain/ids.ts";
import { invoiceOf, webhooksApplied } from "./ledger-story.ts";
import { startManagement } from "./management.ts";
import { aField, anApprovedAd, aPendingAd, aPublisher, aTier, chargingSettles } from "./story.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { pool } = service.database;
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const notes = await aField(publisher, { name: "Notes", key: "notes", isPublisherOnly: true });

const pending = await aPendingAd(service, publisher);
const running = await anApprovedAd(service, publisher);
const other = await anApprovedAd(service, publisher);
await invoiceOf(service, running.subscription.advertiser.id);
await invoiceOf(service, other.subscription.advertiser.id);
await webhooksApplied(service);

const page = pageOf(z.looseObject({ id: z.string() }));
const idsOf = async (list: string, query: string) => {
  const answer = await caller.request("GET", `${path}/${list}?${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return page.parse(JSON.parse(answer.text)).items.map(({ id }) => id);
};

/** The database's clock. */
async function clock(): Promise<string> {
  const { rows } = await pool.query("select clock_timestamp() as now");
  return rows[0].now.toISOString();
}

/** What each list shows as changed by `change`. */
async function changedBy(change: () => Promise<unknown>) {
  const since = await clock();
  await change();
  await chargingSettles(service);
  await webhooksApplied(service);
  const query = `updatedSince=${encodeURIComponent(since)}`;
  return {
    ads: await idsOf("ads", query),
    subscriptions: await idsOf("subscriptions", query),
    advertisers: await idsOf("advertisers", query),
    invoices: await idsOf("invoices", query),
  };
}

async function call(method: string, to: string, body?: unknown) {
  const answer = await caller.request(method, to, body);
  if (answer.status !== 200) throw new Error(`${method} ${to} answered ${answer.status}: ${answer.text}`);
}

it("shows nothing where nothing has changed, and everything since the beginning", async () => {
  expect(await changedBy(async () => {})).toEqual({
    ads: [],
    subscriptions: [],
    advertisers: [],
    invoices: [],
  });
  expect((await idsOf("ads", "updatedSince=2020-01-01T00:00:00Z")).toSorted()).toEqual(
    [pending.id, running.id, other.id].toSorted(),
  );
});

it.each([
  ["requested changes", () => call("POST", `${pending.path}/request-changes`, { note: "Shorter, please." })],
  [
    "another submission",
    () =>
      pending.checkout.caller.request("POST", `${pending.checkout.path}/ad`, {
        name: "Shorter",
        websiteUrl: "https://coffee.example",
      }),
  ],
  [
    "the publisher's own values",
    () => call("PATCH", pending.path, { meta: [{ fieldId: notes.id, value: "x" }] }),
  ],
  ["an approval", () => call("POST", `${pending.path}/approve`)],
  ["a pause", () => call("POST", `${pending.path}/pause`)],
  ["a rejection, which ends the subscription", () => call("POST", `${pending.path}/reject`, { note: "No." })],
])("shows %s with the ad, its subscription and its advertiser", async (_what, change) => {
  const changed = await changedBy(change);

  const [listed] = (await caller.ok(pageOf(z.any()), "GET", `${path}/ads?ids=${pending.id}`)).items;
  expect(changed).toMatchObject({
    ads: [pending.id],
    subscriptions: [listed.subscription.id],
    advertisers: [listed.subscription.advertiser.id],
  });
});

it("shows a change of the subscription at the processor with its ad", async () => {
  const changed = await changedBy(() =>
    pool.query("update subscriptions set status = 'PastDue' where id = $1", [running.subscription.id]),
  );

  expect(changed).toMatchObject({
    ads: [running.id],
    subscriptions: [running.subscription.id],
    invoices: [],
  });
});

it("shows a refund with its invoice and the advertiser", async () => {
  const invoiceId = await invoiceOf(service, running.subscription.advertiser.id);

  const changed = await changedBy(() =>
    call("POST", `${path}/invoices/${invoiceId}/refunds`, { amount: 100 }),
  );

  expect(changed).toMatchObject({ invoices: [invoiceId], advertisers: [running.subscription.advertiser.id] });
});

it("shows an erased advertiser with all that named them", async () => {
  await call("POST", `${path}/subscriptions/${other.subscription.id}/cancel`, {});
  await webhooksApplied(service);
  const invoiceId = await invoiceOf(service, other.subscription.advertiser.id);

  const changed = await changedBy(() =>
    call("DELETE", `${path}/advertisers/${other.subscription.advertiser.id}`),
  );

  expect(changed).toEqual({
    ads: [other.id],
    subscriptions: [other.subscription.id],
    advertisers: [other.subscription.advertiser.id],
    invoices: [invoiceId],
  });
});

it("shows no row that was only read again at the processor", async () => {
  const changed = await changedBy(() =>
    pool.query(
      "update subscriptions set sync_version = sync_version + 1, claim = 'x', claimed_until = now()",
    ),
  );

  expect(changed).toEqual({ ads: [], subscriptions: [], advertisers: [], invoices: [] });
  await pool.query("update subscriptions set claim = null, claimed_until = null");
});

it("shows a new purchase before its ad is there", async () => {
  const sold = await aTier(publisher);
  const changed = await changedBy(async () => {
    const body = { tierPriceId: sold.prices[0]?.id };
    const made = await caller.request("POST", `${path}/checkout-sessions`, body);
    const { sessionId } = JSON.parse(made.text);
    await caller.request("POST", `/sandbox/checkout/${sessionId}/complete`, { email: "new@example.com" });
    await caller.request("GET", `/v1/checkout-sessions/${sessionId}`);
  });

  expect([changed.ads.length, changed.subscriptions.length, changed.advertisers.length]).toEqual([0, 1, 1]);
});

it("lists what `ids` names, and leaves out what does not exist", async () => {
  const { advertiser, id } = running.subscription;
  const unknown = (kind: "ad" | "advertiser" | "subscription" | "invoice") => `${newId(kind)},none,%00`;
  const invoiceId = await invoiceOf(service, advertiser.id);

  expect(await idsOf("ads", `ids=${running.id},${unknown("ad")}&ids=${pending.id}&sort=oldest`)).toEqual([
    pending.id,
    running.id,
  ]);
  expect(await idsOf("subscriptions", `ids=${id},${unknown("subscription")}`)).toEqual([id]);
  expect(await idsOf("advertisers", `ids=${advertiser.id},${unknown("advertiser")}`)).toEqual([
    advertiser.id,
  ]);
  expect(await idsOf("invoices", `ids=${invoiceId},${unknown("invoice")}`)).toEqual([invoiceId]);
  expect(await idsOf("ads", "ids=")).toEqual([]);
  const many = Array.from({ length: 101 }, () => newId("ad")).join(",");
  await caller.refused(422, "GET", `${path}/ads?ids=${many}`);
});
