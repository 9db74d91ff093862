import { pino } from "pino";
import { beforeAll, expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { momentAt, processorTime } from "#libs/domain/moment.ts";
import { revenueDays, revenueWindow } from "#libs/domain/revenue.ts";
import { findAdvertiser, listAdvertisers } from "../ads/advertisers/queries.ts";
import { adsCsv } from "../ads/csv.ts";
import { listAds, searchAds } from "../ads/lists.ts";
import { findAd } from "../ads/queries.ts";
import { readReviewQueue } from "../ads/review-queue.ts";
import { listSubscriptions } from "../ads/subscriptions.ts";
import { cursorOf } from "../api/cursor.ts";
import { findSubjects, listChanges } from "../audit/queries.ts";
import { lockCharge } from "../billing/ledger/charge.ts";
import { selectInvoice } from "../billing/ledger/invoice.ts";
import { findCharged, listInvoices } from "../billing/ledger/queries.ts";
import { listRefunds } from "../billing/ledger/refund-list.ts";
import { findRevenue } from "../billing/ledger/revenue-queries.ts";
import { tellGraceEnds } from "../billing/letters/grace.ts";
import { findField, isFieldUsed, listFieldRules, listFields } from "../catalogue/fields/queries.ts";
import { listTiers, showTier } from "../catalogue/tiers/queries.ts";
import { findNextImage } from "../media/image-copies/queries.ts";
import { streamExport } from "../privacy/export.ts";
import { findNames, listOwners } from "../reports/queries.ts";
import { findBought } from "../selling/lost-link/queries.ts";
import { orderAfterLast } from "../store/workspace-lock.ts";
import { watchPlans, withSteps } from "./query-plans.ts";

const ROWS = 100_000;
const WORKSPACES = 100;
const TABLES = [
  "tiers",
  "prices",
  "fields",
  "advertisers",
  "subscriptions",
  "ads",
  "invoices",
  "charges",
  "refunds",
  "audit_log",
  "checkout_sessions",
];

const database = await createTestDatabase();
const { db, asked, fill, planOf, rowsRead, scanned } = watchPlans(database.pool, TABLES);
const workspaceId = idOf("ws", 7);

/** The id of the nth row of a table. */
function idOf(prefix: string, n: number): string {
  return `${prefix}_${n.toString(16).padStart(26, "0")}`;
}

beforeAll(async () => {
  const id = (prefix: string, n = "n") => `'${prefix}_' || lpad(to_hex(${n}), 26, '0')`;
  const workspace = id("ws", `n % ${WORKSPACES}`);
  const rows = `from generate_series(0, ${ROWS - 1}) n`;
  await fill(`
      insert into workspaces (id, name, slug, currency)
        select ${id("ws")}, 'Weekly', 'weekly-' || n, 'usd' from generate_series(0, ${WORKSPACES - 1}) n;
      insert into tiers (id, workspace_id, name, weight, "order")
        select ${id("tier")}, ${workspace}, 'Gold', 3, n / ${WORKSPACES} ${rows};
      insert into prices (id, workspace_id, tier_id, interval, interval_count, amount, currency)
        select ${id("price")}, ${workspace}, ${id("tier")}, 'Month', 1, 4900, 'usd' ${rows};
      insert into fields (id, workspace_id, key, name, type, "order")
        select ${id("field")}, ${workspace}, 'key_' || n, 'Tagline', 'Text', n / ${WORKSPACES} ${rows};
      insert into advertisers (id, workspace_id, name, email, created_at)
        select ${id("adv")}, ${workspace}, 'Example Coffee ' || n, n || '@example.com', now() - n * interval '1 s' ${rows};
      insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
        select ${id("sub")}, ${workspace}, ${id("adv")}, ${id("tier")}, ${id("price")}, 'sub_' || n, 'Active' ${rows};
      update subscriptions set status = 'PastDue', renewal_failed_at = now(), tells_grace_end = true
        where id like '%5';
      insert into ads (id, workspace_id, subscription_id, name, website_url, status, created_at)
        select ${id("ad")}, ${workspace}, ${id("sub")}, 'Example', 'https://example.com',
          (array['Approved', 'Approved', 'Approved', 'Pending', 'Rejected'])[1 + n / ${WORKSPACES} % 5]::ad_status,
          now() - n * interval '1 s' ${rows};
      insert into invoices (id, workspace_id, advertiser_id, subscription_id, provider_invoice_id, status, currency,
          total, amount_paid, amount_due, issued_at, paid_at, period_start, period_end)
        select ${id("invoice")}, ${workspace}, ${id("adv")}, ${id("sub")}, 'in_' || n,
          (array['paid', 'paid', 'paid', 'open', 'void'])[1 + n / ${WORKSPACES} % 5]::invoice_status,
          'usd', 4900, 4900, 4900, at, at, at, at + interval '1 month'
        from (select n, now() - n * interval '20 min' as at ${rows}) numbered;
      insert into charges (provider_charge_id, workspace_id, invoice_id, amount_refunded, disputed)
        select 'ch_' || n, ${workspace}, ${id("invoice")}, 100, false ${rows};
      insert into refunds (id, workspace_id, provider_refund_id, provider_charge_id, amount, currency, refunded_at)
        select ${id("refund")}, ${workspace}, 're_' || n, 'ch_' || n, 100, 'usd', now() - n * interval '20 min' ${rows};
      insert into checkout_sessions (id, workspace_id, price_id, status, subscription_id)
        select 'cs_' || n, ${workspace}, ${id("price")}, 'complete', ${id("sub")} ${rows};
      insert into audit_log (id, workspace_id, actor_kind, actor_name, action, resource_kind, resource_id)
        select ${id("aud")}, ${workspace}, 'operator', 'Operator', 'ad.approve', 'ad', ${id("ad")} ${rows}
  `);
});

const someSubjects = [idOf("ad", 7), idOf("sub", 107), idOf("adv", 207)].map((id) => ({ resource_id: id }));
const everyone = { search: "", sort: "newest", currency: "usd" } as const;
const first = { page: 1, perPage: 25 };
const updatedSince = new Date(Date.now() + 60_000).toISOString();
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, -1);
const behind = (name: string, prefix: string) => ({
  ...first,
  after: cursorOf({ name, keys: [] }, { page: 2, keys: [`${anHourAgo}000Z`, idOf(prefix, 7)] }),
});
const deep = { page: 39, perPage: 25 };

it.each([
  ["tiers", first, () => listTiers(db, workspaceId, first)],
  ["tiers", deep, () => listTiers(db, workspaceId, deep)],
  ["fields", first, () => listFields(db, workspaceId, first)],
  ["fields", deep, () => listFields(db, workspaceId, deep)],
  ["ads", first, () => listAds(db, workspaceId, undefined, first)],
  ["ads", deep, () => listAds(db, workspaceId, undefined, deep)],
  ["ads that are Approved", first, () => listAds(db, workspaceId, "Approved", first)],
  ["ads that are Pending", first, () => listAds(db, workspaceId, "Pending", first)],
  ["ads that are Rejected", deep, () => listAds(db, workspaceId, "Rejected", deep)],
  ["advertisers", first, () => listAdvertisers(db, workspaceId, everyone, first)],
  ["advertisers", deep, () => listAdvertisers(db, workspaceId, everyone, deep)],
  ["invoices", first, () => listInvoices(db, workspaceId, {}, first)],
  ["invoices", deep, () => listInvoices(db, workspaceId, {}, deep)],
  ["invoices that are open", first, () => listInvoices(db, workspaceId, { status: "open" }, first)],
  ["refunds", first, () => listRefunds(db, workspaceId, {}, first)],
  ["refunds", deep, () => listRefunds(db, workspaceId, {}, deep)],
  ["ads behind a cursor", first, () => listAds(db, workspaceId, undefined, behind("ads:newest", "ad"))],
  [
    "ads that are Pending behind a cursor",
    first,
    () => listAds(db, workspaceId, "Pending", behind("ads:newest", "ad")),
  ],
  [
    "advertisers behind a cursor",
    first,
    () => listAdvertisers(db, workspaceId, everyone, behind("advertisers:newest", "adv")),
  ],
  [
    "invoices behind a cursor",
    first,
    () => listInvoices(db, workspaceId, {}, behind("invoices:newest", "invoice")),
  ],
  ["purchases", first, () => listSubscriptions(db, workspaceId, {}, first)],
  ["purchases", deep, () => listSubscriptions(db, workspaceId, {}, deep)],
  ["changes", first, () => listChanges(db, workspaceId, {}, first)],
  ["invoices since 2020", first, () => listInvoices(db, workspaceId, { from: "2020-01" }, first)],
  [
    "advertisers by name or address",
    first,
    () => listAdvertisers(db, workspaceId, { ...everyone, search: "coffee 1" }, first),
  ],
])("lists %s of 100,000 by an index, at %j", async (_what, { page }, list) => {
  asked.length = 0;

  const { envelope } = await list();

  expect(envelope.total).toBeGreaterThan(100);
  for (const query of asked.filter(({ sql }) => sql.startsWith("select"))) {
    const steps = await planOf(query);
    expect(scanned(steps), query.sql).toEqual([]);
    // The first page is read off the index: what it is cut from is not all rows of the workspace, sorted.
    const isPage = query.sql.includes(" limit ") && page === 1 && !query.sql.includes("ilike");
    const cuts = steps.filter((step) => step["Node Type"] === "Limit");
    if (isPage) {
      expect(cuts.length).toBeGreaterThan(0);
      expect(cuts.flatMap(withSteps).map((step) => step["Node Type"])).not.toContain("Sort");
    }
  }
  expect(asked.length).toBeGreaterThanOrEqual(1);
});

it.each([
  ["a tier with its prices", () => showTier(db, workspaceId, idOf("tier", 7))],
  ["a field", () => findField(db, workspaceId, idOf("field", 7))],
  ["what waits for a review", () => readReviewQueue(db, workspaceId, first)],
  ["ads that changed", () => searchAds(db, workspaceId, { sort: "newest", updatedSince }, new Date(), first)],
  ["advertisers who changed", () => listAdvertisers(db, workspaceId, { ...everyone, updatedSince }, first)],
  ["purchases that changed", () => listSubscriptions(db, workspaceId, { updatedSince }, first)],
  ["invoices that changed", () => listInvoices(db, workspaceId, { updatedSince }, first)],
  [
    "purchases by a reference",
    () => listSubscriptions(db, workspaceId, { clientReference: "order-7" }, first),
  ],
  ["invoices by a reference", () => listInvoices(db, workspaceId, { clientReference: "order-7" }, first)],
  ["an ad", () => findAd(db, workspaceId, idOf("ad", 7))],
  ["an advertiser", () => findAdvertiser(db, workspaceId, idOf("adv", 7))],
  ["what changes are about", () => findSubjects(db, workspaceId, someSubjects)],
  ["what an advertiser bought", () => findBought(db, workspaceId, idOf("adv", 7))],
  ["an advertiser's invoices", () => listInvoices(db, workspaceId, { advertiserId: idOf("adv", 7) }, first)],
  [
    "a subscription's invoices",
    () => listInvoices(db, workspaceId, { subscriptionId: idOf("sub", 7) }, first),
  ],
  ["what was charged for subscriptions", () => findCharged(db, workspaceId, [idOf("sub", 7)])],
  ["the revenue of a year", () => findRevenue(db, workspaceId, revenueWindow(12, processorTime(Date.now())))],
  [
    "the revenue of a year by day",
    () => findRevenue(db, workspaceId, revenueDays(365, processorTime(Date.now()))),
  ],
  ["an invoice by the processor's id", () => selectInvoice(db, "in_7").forUpdate().execute()],
  ["a charge by the processor's id", () => db.transaction().execute((trx) => lockCharge(trx, "ch_7"))],
  [
    "the order after the last tier",
    () => db.transaction().execute((trx) => orderAfterLast(trx, "tiers", workspaceId)),
  ],
  ["the owners of all ads", () => listOwners(db, workspaceId)],
  ["the names of ads", () => findNames(db, workspaceId, "ad", [idOf("ad", 7)])],
  ["the names of advertisers", () => findNames(db, workspaceId, "advertiser", [idOf("adv", 7)])],
  ["the names of tiers", () => findNames(db, workspaceId, "tier", [idOf("tier", 7)])],
  ["the rules of fields", () => listFieldRules(db, workspaceId)],
  [
    "whether ads hold a field",
    () => db.transaction().execute((trx) => isFieldUsed(trx, workspaceId, idOf("field", 7))),
  ],
])("finds %s among 100,000 by an index", async (_what, find) => {
  asked.length = 0;

  const found = await find();

  expect(found).toBeDefined();
  const queries = asked.filter(({ sql }) => sql.trimStart().startsWith("select"));
  for (const query of queries) expect(scanned(await planOf(query)), query.sql).toEqual([]);
  expect(queries.length).toBeGreaterThanOrEqual(1);
});

it("finds the image to copy next without the many that have failed", async () => {
  const image = { address: "https://example.com/a.png", attempts: 1, dueAt: null, problem: "It is missing." };
  const failed = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`field_${n}`, image]));
  const due = { ...failed, field_7: { ...image, dueAt: anHourAgo } };
  const write = (images: unknown, where: string) =>
    database.pool.query(`update ads set images_elsewhere = $1 where workspace_id = $2 and ${where}`, [
      JSON.stringify(images),
      workspaceId,
    ]);
  await write(failed, "true");
  await write(due, `id = '${idOf("ad", 7)}'`);
  await database.pool.query("analyze ads");
  asked.length = 0;

  const next = await findNextImage(db, { workspaceId });

  expect([next?.adId, next?.fieldId]).toEqual([idOf("ad", 7), "field_7"]);
  for (const query of asked) expect(await rowsRead(query), query.sql).toBeLessThan(5);
});

it("reads each part of a file of ads off an index", async () => {
  const parts = () => asked.filter(({ sql }) => sql.includes('from "ads"'));
  const files = [
    await adsCsv(db, workspaceId, { sort: "newest" }, new Date()),
    streamExport(db, { kind: "workspace", id: workspaceId }, {}),
  ];

  for (const file of files) {
    asked.length = 0;
    for await (const _part of file) if (parts().length > 5) break;
    const query = parts().at(-1);
    if (query === undefined) throw new Error("no ads were read");
    expect(await rowsRead(query), query.sql).toBeLessThan(200);
  }
});

it("reads the many subscriptions that are still in their grace by the page, not one by one", async () => {
  asked.length = 0;
  const consume = () => Promise.reject(new Error("There is nothing to mail."));
  const mails = { publicUrl: new URL("https://ads.example"), limits: { consume }, logger: pino() };

  const payments = { moment: (now: number) => momentAt(now, 0) };
  await tellGraceEnds({ ...mails, db, payments, now: () => Date.now() });

  expect(asked.filter(({ sql }) => sql.startsWith("select")).length).toBeLessThan(100);
});
