import { expect, it } from "vitest";
import { forWorkspace } from "#libs/database/for-workspace.ts";
import { createTestDatabase } from "#libs/database/testing.ts";
import type { AdOrder } from "#libs/domain/list-orders.ts";
import { listInvoices } from "../billing/ledger/queries.ts";
import { ADS, type Content, SHORT, workspaceOf } from "../tests/many-ads.ts";
import { watchPlans } from "../tests/query-plans.ts";
import { listAdvertisers } from "./advertisers/queries.ts";
import { searchAds } from "./lists.ts";
import { listSubscriptions } from "./subscriptions.ts";

const FEW = 40;
const WORKSPACE = `ws_${"0".repeat(26)}`;
const TABLES = ["advertisers", "subscriptions", "ads", "tiers", "prices"];

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
    await searchAds(forWorkspace(db, WORKSPACE), WORKSPACE, { query: "zzzz", sort }, new Date(), {
      page: 1,
      perPage,
    });

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

it.each(CHANGED)("finds %s that changed by a few rows for each, of unknown size", async (_what, list) => {
  const { db, asked, rowsHandled } = young;
  for (const perPage of [1, 100]) {
    asked.length = 0;
    await list(forWorkspace(db, WORKSPACE), perPage);

    for (const query of asked) expect(await rowsHandled(query), query.sql).toBeLessThan(60 * ADS);
    expect(asked.length).toBeGreaterThan(0);
  }
});

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
