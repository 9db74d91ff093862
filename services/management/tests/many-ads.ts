export const ADS = 3_000;

/** A short name and address. */
export const SHORT = { name: "'Ad ' || n", address: "n" };
/** The name of an ad and the end of its address: an expression of SQL each, in which `n` is the number of the ad. */
export type Content = typeof SHORT;

/** A workspace with `ADS` ads in one tier, as statements. Anybody can make one by free purchases. The digit begins its ids. */
export function workspaceOf(advertisers: number, ad: Content, digit = "0") {
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
