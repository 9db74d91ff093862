import { expect, it } from "vitest";
import { subscriptionTotals } from "#libs/contract/subscriptions.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher, aTier, type Publisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { pool } = service.database;

/** That many subscriptions, ten of which were recorded at each moment; `columns` are SQL. */
async function bought(
  { workspace: { id: workspaceId } }: Publisher,
  price: { readonly tierId: string; readonly id: string },
  count: number,
  columns: { readonly status: string; readonly createdAt: string; readonly endedAt?: string },
): Promise<void> {
  const id = (prefix: string) => `'${prefix}_' || replace(gen_random_uuid()::text, '-', '')`;
  await pool.query(
    `with one as (insert into advertisers (id, workspace_id, name) values (${id("adv")}, $1, 'Example Coffee') returning id)
     insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status, created_at,
       ended_at, current_period_end)
     select ${id("sub")}, $1, one.id, $2, $3, ${id("sub")}, '${columns.status}', ${columns.createdAt} - n / 10 * interval '1 s',
       ${columns.endedAt ?? "null"}, now() + interval '10 d'
     from one, generate_series(1, $4::int) n`,
    [workspaceId, price.tierId, price.id, count],
  );
}

it("adds every subscription up once, however many there are, and those of the workspace alone", async () => {
  const [publisher, other] = [await aPublisher(service), await aPublisher(service)];
  const { id: tierId, prices } = await aTier(publisher);
  const price = { tierId, id: prices[0]?.id ?? "" };
  const ago = (days: number) => `now() - interval '${days} d'`;
  await bought(publisher, price, 4_500, { status: "Active", createdAt: ago(100) });
  await bought(publisher, price, 20, { status: "Active", createdAt: ago(3) });
  await bought(publisher, price, 500, { status: "Canceled", createdAt: ago(100), endedAt: ago(5) });
  await bought(publisher, price, 30, { status: "Canceled", createdAt: ago(100), endedAt: ago(50) });
  await bought(publisher, price, 40, { status: "IncompleteExpired", createdAt: ago(3) });

  const shown = await publisher.caller.ok(
    subscriptionTotals,
    "GET",
    `${publisher.path}/subscriptions/totals`,
  );
  const amount = prices[0]?.amount ?? 0;
  const of = (subscriptions: number) => ({ subscriptions, monthlyAmount: subscriptions * amount });
  expect(shown).toEqual({
    days: 30,
    currencies: [
      {
        currency: "usd",
        serving: of(4_520),
        begun: of(20),
        lapsed: of(500),
        churnRate: 0.1,
        renewals: { subscriptions: 4_520, amount: 4_520 * amount },
      },
    ],
    tiers: [
      {
        tier: { id: tierId, name: "Gold" },
        adsOnAir: 0,
        firstShare: null,
        serving: [{ currency: "usd", ...of(4_520) }],
      },
    ],
  });
  const theirs = await other.caller.ok(subscriptionTotals, "GET", `${other.path}/subscriptions/totals`);
  expect(theirs.currencies[0]?.serving.subscriptions).toBe(0);
});
