import { expect, it } from "vitest";
import { forWorkspace } from "#libs/database/for-workspace.ts";
import { createTestDatabase } from "#libs/database/testing.ts";
import { listInvoices } from "../billing/ledger/queries.ts";
import { ADS, SHORT, workspaceOf } from "../tests/many-ads.ts";
import { watchPlans } from "../tests/query-plans.ts";
import { listAdvertisers } from "./advertisers/queries.ts";
import { searchAds } from "./lists.ts";
import { listSubscriptions } from "./subscriptions.ts";

const WORKSPACE = `ws_${"0".repeat(26)}`;
const TABLES = ["advertisers", "subscriptions", "ads", "invoices", "charges"];
const BEFORE = "2025-01-01T00:00:00.000Z";
const SINCE = "2025-06-01T00:00:00.000Z";
const { db, fill } = watchPlans((await createTestDatabase()).pool, TABLES);

/** An invoice and a charge for each subscription. */
const INVOICES = `
  insert into invoices (id, workspace_id, advertiser_id, subscription_id, provider_invoice_id, status, currency, total, amount_paid,
      amount_due, issued_at, period_start, period_end)
    select 'inv' || substr(id, 4), workspace_id, advertiser_id, id, 'in_' || id, 'paid', 'usd', 0, 0, 0, now(), now(), now()
    from subscriptions;
  insert into charges (provider_charge_id, workspace_id, invoice_id, amount_refunded, disputed)
    select 'ch_' || id, workspace_id, id, 0, false from invoices;`;

/** The rows with the numbers from `first` on, before `end`, changed after `SINCE`. */
const changed = (table: string, id: string, first: number, end: number) =>
  `update ${table} set changed_at = now() where ('x' || right(${id}, 8))::bit(32)::int >= ${first}
     and ('x' || right(${id}, 8))::bit(32)::int < ${end};`;

async function totals() {
  const scoped = forWorkspace(db, WORKSPACE);
  const one = { page: 1, perPage: 1 };
  const since = { updatedSince: SINCE };
  const everyone = { search: "", sort: "newest", currency: "usd" } as const;
  const lists = {
    ads: await searchAds(scoped, WORKSPACE, { ...since, sort: "newest" }, new Date(), one),
    subscriptions: await listSubscriptions(scoped, WORKSPACE, since, one),
    invoices: await listInvoices(scoped, WORKSPACE, since, one),
    advertisers: await listAdvertisers(scoped, WORKSPACE, { ...everyone, ...since }, one),
  };
  return Object.fromEntries(Object.entries(lists).map(([name, { envelope }]) => [name, envelope.total]));
}

it("lists what changed where more did than are looked up by their ids", async () => {
  await fill(`${workspaceOf(ADS, SHORT)} ${INVOICES}
    ${TABLES.map((table) => `update ${table} set changed_at = '${BEFORE}';`).join("\n")}`);
  expect(await totals()).toEqual({ ads: 0, subscriptions: 0, invoices: 0, advertisers: 0 });

  await fill(`
    ${changed("subscriptions", "id", 0, 1_100)}
    ${changed("ads", "id", 1_000, 2_100)}
    ${changed("invoices", "id", 1_950, 2_900)}
    ${changed("charges", "provider_charge_id", 2_800, 2_950)}
    ${changed("advertisers", "id", 2_999, 3_000)}`);
  expect(await totals()).toEqual({ ads: 2_101, subscriptions: 2_101, invoices: 1_001, advertisers: 2_951 });

  await fill(changed("advertisers", "id", 0, 1_500));
  expect(await totals()).toEqual({ ads: 2_101, subscriptions: 2_101, invoices: 2_501, advertisers: 2_951 });
});
