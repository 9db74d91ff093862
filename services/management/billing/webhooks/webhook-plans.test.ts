import { beforeAll, expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { watchPlans } from "../../tests/query-plans.ts";
import { findKnown, listLive, listOpenCheckouts, listTiersToTell } from "../reconciliation/queries.ts";
import { beginSubscriptionSync } from "../subscriptions/subscription.ts";
import { forgetAppliedEvents, listWaiting, readInboxState } from "./inbox.ts";

const ROWS = 100_000;
/** One row in 5,000 is looked for. */
const RARE = 5_000;
const TABLES = ["webhook_events", "checkout_sessions", "subscriptions", "tiers", "prices"];

const database = await createTestDatabase();
const { db, asked, fill, planOf, scanned } = watchPlans(database.pool, TABLES);
const longAgo = new Date(Date.now() - 30 * 86_400_000);

beforeAll(async () => {
  const rows = `from generate_series(0, ${ROWS - 1}) n`;
  const isRare = `n % ${RARE} = 0`;
  await fill(`
      insert into webhook_events (id, type, subject, occurred_at, applied_at)
        select 'evt_' || n, 'charge.updated', '{"kind": "other", "id": null}', now(),
          case when ${isRare} then null when n % ${RARE} = 1 then now() - interval '60 days' else now() end ${rows};
      insert into checkout_sessions (id, workspace_id, price_id, status)
        select 'cs_' || n, 'ws', 'price', case when ${isRare} then 'open' else 'expired' end::checkout_status ${rows};
      insert into tiers (id, workspace_id, name, weight, "order", is_active, provider_product_id, provider_active)
        select 'tier_' || n, 'ws', 'Gold', 3, n, not ${isRare}, 'prod_' || n, true ${rows};
      insert into prices (id, workspace_id, tier_id, interval, interval_count, amount, currency, is_active,
          provider_price_id, provider_active)
        select 'price_' || n, 'ws', 'tier_' || n, 'Month', 1, 4900, 'usd', not ${isRare}, 'price_' || n, true ${rows};
      insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
        select 'sub_' || n, 'ws', 'adv', 'tier', 'price', 'sub_' || n,
          case when ${isRare} then 'Active' else 'Canceled' end::subscription_status ${rows}
  `);
});

it.each([
  ["the counts of the inbox", () => readInboxState(db)],
  ["its waiting events", () => listWaiting(db, 100)],
  ["events applied long ago", () => forgetAppliedEvents(db, longAgo)],
  ["the version at the start of a sync", () => beginSubscriptionSync(db, "sub_7")],
  ["subscriptions by the processor's ids", () => findKnown(db, ["sub_1", "sub_2"])],
  ["live subscriptions", () => listLive(db, null, new Date(Date.now() + 60_000), "")],
  ["open checkouts", () => listOpenCheckouts(db, 500)],
  [
    "tiers to archive or unarchive at the processor",
    async () => {
      for await (const { tier_id: id } of listTiersToTell(db)) expect(id).toMatch(/^tier_/);
    },
  ],
])("finds %s among 100,000 by an index", async (_what, find) => {
  asked.length = 0;

  await find();

  expect(asked.length).toBeGreaterThan(0);
  for (const query of asked) expect(scanned(await planOf(query)), query.sql).toEqual([]);
});
