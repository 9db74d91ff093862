import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import type { AdOrder } from "#libs/domain/list-orders.ts";
import { listInvoices } from "../billing/ledger/queries.ts";
import { watchPlans } from "../tests/query-plans.ts";
import { listAdvertisers } from "./advertisers/queries.ts";
import { searchAds } from "./lists.ts";
import { listSubscriptions } from "./subscriptions.ts";

const ADS = 3_000;
const FEW = 40;
const WORKSPACE = `ws_${"0".repeat(26)}`;

const TABLES = ["advertisers", "subscriptions", "ads", "tiers", "prices"];
const SHORT = { name: "'Ad ' || n", address: "n" };
/** The name of an ad and the end of its address: an expression of SQL each, in which `n` is the number of the ad. */
type Content = typeof SHORT;

/** A workspace with many ads in one tier, as statements. Anybody can make one by free purchases. The digit begins its ids. */
function workspaceOf(advertisers: number, ad: Content, digit = "0") {
  const id = (prefix: string, n = "n") => `'${prefix}_${digit}' || lpad(to_hex(${n}), 25, '0')`;
  const workspace = `ws_${digit}${"0".repeat(25)}`;
  return `
    insert into workspaces (id, name, slug, currency) values ('${workspace}', 'Weekly', 'weekly-${digit}', 'usd');
    insert into tiers (id, workspace_id, name, weight, "order") values (${id("tier", "0")}, '${workspace}', 'Gold', 3, 0);
    insert into prices (id, workspace_id, tier_id, interval, interval_count, amount, currency)
      values (${id("price", "0")}, '${workspace}', ${id("tier", "0")}, 'Month', 1, 0, 'usd');
    insert into advertisers (id, workspace_id, name, email)
      select ${id("adv")}, '${workspace}', 'Example Coffee ' || n, n || '@example.com'
      from generate_series(0, ${advertisers - 1}) n;
    insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
      select ${id("sub")}, '${workspace}', ${id("adv", `n % ${advertisers}`)}, ${id("tier", "0")}, ${id("price", "0")}, 'sub_${digit}' || n,
        'Active'
      from generate_series(0, ${ADS - 1}) n;
    insert into ads (id, workspace_id, subscription_id, name, website_url, created_at)
      select ${id("ad")}, '${workspace}', ${id("sub")}, ${ad.name}, 'https://example.com/' || ${ad.address},
        now() - n * interval '1 s'
      from generate_series(0, ${ADS - 1}) n;`;
}

async function aWorkspace(advertisers: number, ad: Content) {
  const watched = watchPlans((await createTestDatabase()).pool, TABLES);
  await watched.fill(workspaceOf(advertisers, ad));
  return watched;
}

/** One that is younger than Postgres' statistics of the tables, in which are larger ones. */
async function aYoungWorkspace() {
  const { pool } = await createTestDatabase();
  const watched = watchPlans(pool, TABLES);
  await watched.fill(
    ["1", "2", "3", "4", "5", "6", "7", "8"].map((digit) => workspaceOf(ADS, SHORT, digit)).join(""),
  );
  const client = await pool.connect();
  await client.query("set session_replication_role = replica");
  await client.query(workspaceOf(ADS, SHORT));
  client.release(true);
  return watched;
}

const longest = await aWorkspace(FEW, { name: "repeat('n', 80)", address: "repeat(md5(n::text), 60)" });
const ofMany = await aWorkspace(ADS, SHORT);
const young = await aYoungWorkspace();

/**
 * Where a condition compares columns of both, a plan may pair each ad with every advertiser before it joins them; and to find a small page
 * soon, with every subscription.
 */
function comparesPairs({ "Join Filter": condition = "" }: { readonly "Join Filter"?: string }): boolean {
  return (
    (condition.includes("advertisers") && condition.includes("~~*")) ||
    condition.includes("ads.subscription_id")
  );
}

const CHANGED_SINCE = { updatedSince: "2020-01-01T00:00:00.000Z" };
const SORTS: readonly AdOrder[] = ["newest", "oldest", "name", "tier", "impressions"];
const CASES = [
  ...[1, 2, 10, 100].map((perPage) => ({
    of: "few advertisers",
    at: longest,
    sort: SORTS[0] ?? "newest",
    perPage,
  })),
  ...SORTS.flatMap((sort) =>
    [1, 5].map((perPage) => ({ of: "as many advertisers", at: ofMany, sort, perPage })),
  ),
  ...SORTS.flatMap((sort) => [1, 100].map((perPage) => ({ of: "unknown size", at: young, sort, perPage }))),
];

it.each(CASES)(
  "compares no pair of an ad and a row that it does not have, of $of, by $sort, $perPage per page",
  async ({ at: { db, asked, planOf }, sort, perPage }) => {
    asked.length = 0;
    await searchAds(db, WORKSPACE, { query: "zzzz", sort }, new Date(), { page: 1, perPage });

    for (const query of asked) expect((await planOf(query)).filter(comparesPairs), query.sql).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
  },
);

type Lister = (db: typeof young.db, perPage: number) => Promise<unknown>;
const CHANGED: readonly (readonly [string, Lister])[] = [
  [
    "ads",
    (db, perPage) =>
      searchAds(db, WORKSPACE, { ...CHANGED_SINCE, sort: "newest" }, new Date(), { page: 1, perPage }),
  ],
  ["subscriptions", (db, perPage) => listSubscriptions(db, WORKSPACE, CHANGED_SINCE, { page: 1, perPage })],
  [
    "advertisers",
    (db, perPage) =>
      listAdvertisers(
        db,
        WORKSPACE,
        { ...CHANGED_SINCE, search: "", sort: "newest", currency: "usd" },
        { page: 1, perPage },
      ),
  ],
  ["invoices", (db, perPage) => listInvoices(db, WORKSPACE, CHANGED_SINCE, { page: 1, perPage })],
];

it.each(CHANGED)(
  "runs no query for each row to find %s that changed, of unknown size",
  async (what, list) => {
    const { db, asked, planOf } = young;
    for (const perPage of [1, 100]) {
      asked.length = 0;
      await list(db, perPage);

      for (const query of asked) {
        const steps = await planOf(query);
        const names = steps.flatMap(({ "Subplan Name": name = "" }) =>
          name.startsWith("SubPlan") ? [name] : [],
        );
        // A hashed one is run once.
        const isHashed = (name: string) => steps.some(({ Filter = "" }) => Filter.includes(`hashed ${name}`));
        const repeated = names.filter((name) => !isHashed(name));
        expect(repeated, query.sql).toEqual([]);
        // Each row would be looked for in all that changed, as in the array of a query.
        const searched = steps.filter(({ Filter = "" }) => / = ANY \(\(?(InitPlan|\$)/.test(Filter));
        expect(searched, query.sql).toEqual([]);
        if (what === "ads") expect(steps.filter(comparesPairs), query.sql).toEqual([]);
      }
      expect(asked.length).toBeGreaterThan(0);
    }
  },
);

it("finds ads by the beginning of their address, and by their advertiser", async () => {
  const find = async (query: string) => {
    const request = { page: 1, perPage: 1 };
    return (await searchAds(longest.db, WORKSPACE, { query, sort: "newest" }, new Date(), request)).envelope
      .total;
  };

  expect(await find("HTTPS://example.com/")).toBe(ADS);
  expect(await find("39@example.com")).toBe(ADS / FEW);
  expect(await find("coffee 39")).toBe(ADS / FEW);
});
