import type pg from "pg";

/** Some workspaces, numbered from `first`, with as many ads each, numbered from `firstAd` on. */
export interface SeededWorkspaces {
  readonly first: number;
  readonly count: number;
  readonly adsEach: number;
  readonly firstAd: number;
}

const TIER_WEIGHTS = [1, 3, 6];

/**
 * Puts workspaces with three tiers and approved, paid ads straight into Postgres, set by set: thousands of them take
 * seconds. The ids are numbers with leading zeros, see `seed-ids.ts`.
 */
export async function seedWorkspaces(client: pg.Client, seeded: SeededWorkspaces): Promise<void> {
  const { first, count, adsEach, firstAd } = seeded;
  const workspaces = [first, first + count - 1];
  // Everything below refers to what it makes itself: looking each row up would take most of the time.
  await client.query("set session_replication_role = replica; set synchronous_commit = off");
  await client.query(
    `insert into workspaces (id, name, slug, website_url, currency)
     select ${idOf("ws", "n")}, 'Workspace ' || n, 'workspace-' || n, 'https://publisher.example', 'usd'
     from generate_series($1::bigint, $2::bigint) n`,
    workspaces,
  );
  for (const [nth, weight] of TIER_WEIGHTS.entries()) {
    await client.query(
      `insert into tiers (id, workspace_id, name, weight, "order")
       select ${idOf("tier", tierNumber(nth))}, ${idOf("ws", "n")}, 'Tier ${nth + 1}', ${weight}, ${nth}
       from generate_series($1::bigint, $2::bigint) n`,
      workspaces,
    );
    await client.query(
      `insert into prices (id, workspace_id, tier_id, "interval", interval_count, amount, currency)
       select ${idOf("price", tierNumber(nth))}, ${idOf("ws", "n")}, ${idOf("tier", tierNumber(nth))},
         'Month', 1, ${9900 * weight}, 'usd'
       from generate_series($1::bigint, $2::bigint) n`,
      workspaces,
    );
  }
  await client.query(
    `insert into advertisers (id, workspace_id, name, email)
     select ${idOf("adv", "n")}, ${idOf("ws", "n")}, 'Advertiser ' || n, 'advertiser-' || n || '@example.com'
     from generate_series($1::bigint, $2::bigint) n`,
    workspaces,
  );
  const ads = [first, adsEach, firstAd, firstAd + count * adsEach - 1];
  const workspace = "($1::bigint + (n - $3::bigint) / $2::bigint)";
  const tier = `${workspace} * ${TIER_WEIGHTS.length} + n % ${TIER_WEIGHTS.length}`;
  await client.query(
    `insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id,
       status, current_period_start, current_period_end, paid_amount)
     select ${idOf("sub", "n")}, ${idOf("ws", workspace)}, ${idOf("adv", workspace)}, ${idOf("tier", tier)},
       ${idOf("price", tier)}, 'sub_seed_' || n, 'Active', now() - interval '1 day', now() + interval '29 days', 9900
     from generate_series($3::bigint, $4::bigint) n`,
    ads,
  );
  await client.query(
    `insert into ads (id, workspace_id, subscription_id, name, website_url, status, reviewed_at, serving_since)
     select ${idOf("ad", "n")}, ${idOf("ws", workspace)}, ${idOf("sub", "n")}, 'Advertisement number ' || n,
       'https://advertiser.example/landing/' || n, 'Approved', now(), now() - interval '1 day'
     from generate_series($3::bigint, $4::bigint) n where $2::bigint > 0`,
    ads,
  );
  await client.query("analyze workspaces, tiers, prices, advertisers, subscriptions, ads");
}

function idOf(prefix: string, number: string): string {
  return `'${prefix}_' || lpad((${number})::text, 26, '0')`;
}

function tierNumber(nth: number): string {
  return `n * ${TIER_WEIGHTS.length} + ${nth}`;
}
