import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import type { AdOrder } from "#libs/domain/list-orders.ts";
import { watchPlans } from "../tests/query-plans.ts";
import { searchAds } from "./lists.ts";

const ADS = 3_000;
const FEW = 40;
const WORKSPACE = `ws_${"0".repeat(26)}`;

/** A workspace with many ads in one tier. Anybody can make one by free purchases. */
async function aWorkspace(advertisers: number, ad: { readonly name: string; readonly address: string }) {
  const { pool } = await createTestDatabase();
  const watched = watchPlans(pool, ["advertisers", "subscriptions", "ads", "tiers", "prices"]);
  const id = (prefix: string, n = "n") => `'${prefix}_' || lpad(to_hex(${n}), 26, '0')`;
  await watched.fill(`
    insert into workspaces (id, name, slug, currency) values ('${WORKSPACE}', 'Weekly', 'weekly', 'usd');
    insert into tiers (id, workspace_id, name, weight, "order") values (${id("tier", "0")}, '${WORKSPACE}', 'Gold', 3, 0);
    insert into prices (id, workspace_id, tier_id, interval, interval_count, amount, currency)
      values (${id("price", "0")}, '${WORKSPACE}', ${id("tier", "0")}, 'Month', 1, 0, 'usd');
    insert into advertisers (id, workspace_id, name, email)
      select ${id("adv")}, '${WORKSPACE}', 'Example Coffee ' || n, n || '@example.com'
      from generate_series(0, ${advertisers - 1}) n;
    insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
      select ${id("sub")}, '${WORKSPACE}', ${id("adv", `n % ${advertisers}`)}, ${id("tier", "0")}, ${id("price", "0")}, 'sub_' || n, 'Active'
      from generate_series(0, ${ADS - 1}) n;
    insert into ads (id, workspace_id, subscription_id, name, website_url, created_at)
      select ${id("ad")}, '${WORKSPACE}', ${id("sub")}, ${ad.name}, 'https://example.com/' || ${ad.address},
        now() - n * interval '1 s'
      from generate_series(0, ${ADS - 1}) n`);
  return watched;
}

const longest = await aWorkspace(FEW, { name: "repeat('n', 80)", address: "repeat(md5(n::text), 60)" });
const ofMany = await aWorkspace(ADS, { name: "'Ad ' || n", address: "n" });

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
