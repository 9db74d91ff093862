import { beforeAll, expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { watchPlans } from "../tests/query-plans.ts";
import { searchAds } from "./lists.ts";

const ADS = 2_000;
const ADVERTISERS = 40;
const WORKSPACE = `ws_${"0".repeat(26)}`;

const database = await createTestDatabase();
const { db, asked, fill, planOf } = watchPlans(database.pool, [
  "advertisers",
  "subscriptions",
  "ads",
  "tiers",
  "prices",
]);

/** Many ads of few advertisers, with the longest addresses: whoever sells to itself for nothing can make these. */
beforeAll(async () => {
  const id = (prefix: string, n = "n") => `'${prefix}_' || lpad(to_hex(${n}), 26, '0')`;
  await fill(`
    insert into workspaces (id, name, slug, currency) values ('${WORKSPACE}', 'Weekly', 'weekly', 'usd');
    insert into tiers (id, workspace_id, name, weight, "order") values (${id("tier", "0")}, '${WORKSPACE}', 'Gold', 3, 0);
    insert into prices (id, workspace_id, tier_id, interval, interval_count, amount, currency)
      values (${id("price", "0")}, '${WORKSPACE}', ${id("tier", "0")}, 'Month', 1, 0, 'usd');
    insert into advertisers (id, workspace_id, name, email)
      select ${id("adv")}, '${WORKSPACE}', 'Example Coffee ' || n, n || '@example.com'
      from generate_series(0, ${ADVERTISERS - 1}) n;
    insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
      select ${id("sub")}, '${WORKSPACE}', ${id("adv", `n % ${ADVERTISERS}`)}, ${id("tier", "0")}, ${id("price", "0")}, 'sub_' || n, 'Active'
      from generate_series(0, ${ADS - 1}) n;
    insert into ads (id, workspace_id, subscription_id, name, website_url, created_at)
      select ${id("ad")}, '${WORKSPACE}', ${id("sub")}, repeat('n', 80), 'https://example.com/' || repeat(md5(n::text), 60),
        now() - n * interval '1 s'
      from generate_series(0, ${ADS - 1}) n`);
});

/** Where a condition compares columns of both, a plan may pair each ad with every advertiser before it joins them. */
function comparesPairs({ "Join Filter": condition = "" }: { readonly "Join Filter"?: string }): boolean {
  return condition.includes("advertisers") && condition.includes("~~*");
}

it.each([1, 2, 10, 100])("compares no pair of an ad and an advertiser, with %i per page", async (perPage) => {
  asked.length = 0;
  await searchAds(db, WORKSPACE, { query: "zzzz", sort: "newest" }, new Date(), { page: 1, perPage });

  for (const query of asked) expect((await planOf(query)).filter(comparesPairs), query.sql).toEqual([]);
  expect(asked.length).toBeGreaterThan(0);
});

it("finds ads by the beginning of their address, and by their advertiser", async () => {
  const find = async (query: string) => {
    const request = { page: 1, perPage: 1 };
    return (await searchAds(db, WORKSPACE, { query, sort: "newest" }, new Date(), request)).envelope.total;
  };

  expect(await find("HTTPS://example.com/")).toBe(ADS);
  expect(await find("39@example.com")).toBe(ADS / ADVERTISERS);
  expect(await find("coffee 39")).toBe(ADS / ADVERTISERS);
});
