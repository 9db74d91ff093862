import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { pageOf } from "#libs/contract/query.ts";
import { startManagement } from "./management.ts";
import { aPublisher, type Publisher } from "./story.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { pool } = service.database;

const anyPage = pageOf(z.looseObject({ id: z.string().optional(), adId: z.string().nullish() }));
type AnyPage = z.infer<typeof anyPage>;

/** Every list, in each order that a cursor continues. */
const LISTS = [
  "ads",
  "ads?status=Pending",
  "ads?sort=oldest",
  "ads?sort=name",
  "ads?sort=tier",
  "review-queue",
  "revisions",
  "advertisers",
  "advertisers?sort=oldest",
  "advertisers?sort=name",
  "subscriptions",
  "invoices",
  "refunds",
  "audit-log",
  "tiers",
  "fields",
  "members",
  "invitations",
];

/** A row of each table behind the lists, from a seed: their places in every order are anywhere, and often equal but for the id. */
async function addRows(workspaceId: string, seeds: readonly number[]): Promise<void> {
  const id = (prefix: string) => `'${prefix}_' || md5($1 || n::text || '${prefix}')`;
  const at = "timestamptz '2026-11-21T09:30:00Z' + (n % 7) * interval '1 microsecond'";
  const rows = "from unnest($2::int[]) n";
  const statements = [
    `tiers (id, workspace_id, name, weight, "order")
      select ${id("tier")}, $1, 'Gold', 1 + n % 3 / 3.0, n % 5 ${rows}`,
    `prices (id, workspace_id, tier_id, interval, interval_count, amount, currency)
      select ${id("price")}, $1, ${id("tier")}, 'Month', 1, 4900, 'usd' ${rows}`,
    `fields (id, workspace_id, key, name, type, "order")
      select ${id("field")}, $1, 'key_' || n, 'Tagline', 'Text', n % 5 ${rows}`,
    `advertisers (id, workspace_id, name, email, created_at)
      select ${id("adv")}, $1, chr(97 + n % 4) || 'Ünïcode', n || '@example.com', ${at} ${rows}`,
    `subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status, created_at)
      select ${id("sub")}, $1, ${id("adv")}, ${id("tier")}, ${id("price")}, $1 || n, 'Active', ${at} ${rows}`,
    `ads (id, workspace_id, subscription_id, name, website_url, status, submitted_at, created_at)
      select ${id("ad")}, $1, ${id("sub")}, chr(97 + n % 4) || ' ad', 'https://example.com', (case when n % 2 = 0 then 'Pending' else 'Approved' end)::ad_status, ${at}, ${at} ${rows}`,
    `revisions (ad_id, workspace_id, name, website_url, submitted_at)
      select ${id("ad")}, $1, 'Edited', 'https://example.com', ${at} ${rows} where n % 2 = 1`,
    `invoices (id, workspace_id, advertiser_id, subscription_id, provider_invoice_id, status, currency,
        total, amount_paid, amount_due, issued_at, period_start, period_end)
      select ${id("invoice")}, $1, ${id("adv")}, ${id("sub")}, $1 || n, 'paid', 'usd', 1, 1, 1, ${at}, ${at}, ${at} ${rows}`,
    `charges (provider_charge_id, workspace_id, invoice_id, amount_refunded, disputed)
      select 'ch_' || md5($1 || n::text), $1, ${id("invoice")}, 1, false ${rows}`,
    `refunds (id, workspace_id, provider_refund_id, provider_charge_id, amount, currency, refunded_at)
      select ${id("refund")}, $1, $1 || n, 'ch_' || md5($1 || n::text), 1, 'usd', ${at} ${rows}`,
    `audit_log (id, workspace_id, actor_kind, actor_name, action, resource_kind, resource_id)
      select ${id("aud")}, $1, 'operator', 'Operator', 'ad.approve', 'ad', ${id("ad")} ${rows}`,
    `invitations (id, workspace_id, email, role, token_hash, expires_at)
      select ${id("inv")}, $1, n || '@example.com', 'Viewer', sha256(convert_to($1 || n, 'UTF8')), now() + interval '1 day' ${rows}`,
    `people (id, name, email) select ${id("usr")}, 'Ada', $1 || n || '@example.com' ${rows}`,
    `members (id, workspace_id, person_id, role) select ${id("mem")}, $1, ${id("usr")}, 'Viewer' ${rows}`,
  ];
  const parts = statements.map((statement, index) => `part_${index} as (insert into ${statement})`);
  await pool.query(`with ${parts.join(", ")} select`, [workspaceId, seeds]);
}

const PREFIXES = {
  members: "mem",
  invitations: "inv",
  audit_log: "aud",
  refunds: "refund",
  invoices: "invoice",
  revisions: "ad",
  ads: "ad",
  subscriptions: "sub",
  advertisers: "adv",
  fields: "field",
  prices: "price",
  tiers: "tier",
};

/** Removes what was added for some seeds. */
async function removeRows(workspaceId: string, seeds: readonly number[]): Promise<void> {
  const parts = Object.entries(PREFIXES).map(([table, prefix]) => {
    const key = table === "revisions" ? "ad_id" : "id";
    const ids = `select '${prefix}_' || md5($1 || n::text || '${prefix}') from unnest($2::int[]) n`;
    return `from_${table} as (delete from ${table} where ${key} in (${ids}))`;
  });
  await pool.query(`with ${parts.join(", ")} select`, [workspaceId, seeds]);
}

const idsOf = ({ items }: AnyPage) => items.map(({ id, adId }) => id ?? adId ?? "");
const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

/** The ids on a page of a list, and the cursor behind it. */
async function read({ person: { caller }, path }: Publisher, list: string, query: string) {
  const answer = await caller.request("GET", withQuery(`${path}/${list}`, query));
  if (answer.status !== 200) throw new Error(`${list}?${query} answered ${answer.status}: ${answer.text}`);
  const page = anyPage.parse(JSON.parse(answer.text));
  return { ...page, ids: idsOf(page), link: answer.headers.get("link") };
}

it("names every list of the contract", () => {
  const paths = listEndpoints(managementContract)
    .filter(({ isList }) => isList)
    .map(({ path }) => path.slice("/workspaces/{workspaceId}/".length));

  expect([...new Set(LISTS.map((list) => list.split("?")[0]))].toSorted()).toEqual(paths.toSorted());
});

it("reads every list by cursors without repeating or skipping a row, whatever is added and removed meanwhile", async () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 26, maxLength: 26 });
  await fc.assert(
    fc.asyncProperty(numbers, fc.integer({ min: 4, max: 7 }), async (drawn, perPage) => {
      // Odd and even ones take turns: an ad is pending, or approved with a revision.
      const seeds = drawn.map((n, index) => 2 * n + (index % 2));
      const publisher = await aPublisher(service);
      const { id } = publisher.workspace;
      await addRows(id, seeds.slice(0, 14));
      const whole = async () =>
        new Map(
          await Promise.all(
            LISTS.map(async (list) => [list, (await read(publisher, list, "perPage=100")).ids] as const),
          ),
        );
      const early = await whole();
      const later = seeds.slice(14);
      const removed = seeds.slice(0, 4);

      const seen = new Map(LISTS.map((list): [string, string[]] => [list, []]));
      let unfinished = LISTS.map((list) => ({ list, query: `perPage=${perPage}` }));
      while (unfinished.length > 0) {
        const pages = await Promise.all(
          unfinished.map(async ({ list, query }) => ({ list, page: await read(publisher, list, query) })),
        );
        for (const { list, page } of pages) seen.get(list)?.push(...page.ids);
        unfinished = pages
          .filter(({ page }) => page.nextCursor !== null)
          .map(({ list, page }) => ({ list, query: `perPage=${perPage}&after=${page.nextCursor}` }));
        await addRows(id, later.splice(0, 2));
        await removeRows(id, removed.splice(0, 1));
      }

      const late = await whole();
      for (const list of LISTS) {
        const ids = seen.get(list) ?? [];
        const stayed = (early.get(list) ?? []).filter((one) => late.get(list)?.includes(one));
        expect(new Set(ids).size, list).toBe(ids.length);
        expect(stayed.length, list).toBeGreaterThan(4);
        expect(
          ids.filter((one) => stayed.includes(one)),
          list,
        ).toEqual(stayed);
      }
    }),
    { numRuns: 3, endOnFailure: true },
  );
});

it("answers behind the last row with no items, and links each page to the next", async () => {
  const publisher = await aPublisher(service);
  await addRows(publisher.workspace.id, [1, 2, 3, 4, 5, 6]);
  const firsts = new Map<string, string | null>();

  for (const list of LISTS) {
    const first = await read(publisher, list, "perPage=2");
    const { searchParams } = new URL(/^<([^>]+)>; rel="next"$/.exec(first.link ?? "")?.[1] ?? "");
    expect(searchParams.get("after"), list).toBe(first.nextCursor);
    const second = await read(publisher, list.split("?")[0] ?? "", searchParams.toString());
    expect(second, list).toMatchObject({ page: 2, perPage: 2, total: first.total });
    expect(second.ids.filter((id) => !first.ids.includes(id)).length, list).toBeGreaterThan(0);
    firsts.set(list, first.nextCursor);
  }
  await removeRows(publisher.workspace.id, [1, 2, 3, 4, 5, 6]);

  for (const [list, cursor] of firsts) {
    // These two are never empty.
    if (list === "members" || list === "audit-log") continue;
    const behind = await read(publisher, list, `after=${cursor}`);
    expect(behind, list).toMatchObject({ items: [], nextCursor: null, link: null, total: 0, page: 1 });
  }
});

it("empties the review queue by its first page, and by its cursors, while more is submitted", async () => {
  const publisher = await aPublisher(service);
  const { id } = publisher.workspace;
  await addRows(
    id,
    Array.from({ length: 30 }, (_, n) => n),
  );
  const decide = async (ids: readonly string[]) => {
    await pool.query("delete from revisions where ad_id = any($1)", [ids]);
    await pool.query("update ads set status = 'Approved' where id = any($1)", [ids]);
  };

  const decided: string[] = [];
  let query = "";
  let more = 100;
  for (;;) {
    const page = await read(publisher, "review-queue", `perPage=10${query}`);
    await decide(idsOf(page));
    decided.push(...idsOf(page));
    if (page.nextCursor === null) break;
    query = `&after=${page.nextCursor}`;
    if (more < 103) await addRows(id, [more++]);
  }
  // What was submitted behind the cursor is met by the next loop, which reads the first page until it is empty.
  for (let page = await read(publisher, "review-queue", "perPage=10"); page.items.length > 0; ) {
    await decide(idsOf(page));
    decided.push(...idsOf(page));
    page = await read(publisher, "review-queue", "perPage=10");
  }

  expect(decided).toHaveLength(33);
  expect(new Set(decided).size).toBe(33);
});

it("refuses a cursor of another list or order, one that is none, and one beside a page", async () => {
  const publisher = await aPublisher(service);
  await addRows(publisher.workspace.id, [1, 2, 3]);
  const { caller, path } = publisher;
  const cursor = async (list: string) => (await read(publisher, list, "perPage=1")).nextCursor ?? "";
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const oldest = await cursor("ads?sort=oldest");

  for (const [list, after] of [
    ["ads", oldest],
    ["ads?sort=name", oldest],
    ["tiers", await cursor("fields")],
    ["ads", ""],
    ["ads", "%00"],
    ["ads", encoded({})],
    ["ads", encoded(["ads:newest", 2, "2026-02-30T09:30:00.000000Z", "ad_1"])],
    ["ads", encoded(["ads:newest", 2, "0000-01-01T09:30:00.000000Z", "ad_1"])],
    ["ads", encoded(["ads:newest", 2, "2026-11-21T09:30:00.000000Z", "\u0000"])],
    ["ads", encoded(["ads:newest", 2, "2026-11-21T09:30:00.000000Z", 7])],
    ["ads", encoded(["ads:newest", 0, "2026-11-21T09:30:00.000000Z", "ad_1"])],
    ["tiers", encoded(["tiers:order", 2, "1e999", "tier_1"])],
    ["ads?page=2", await cursor("ads")],
    ["ads?sort=impressions", await cursor("ads")],
    ["advertisers?sort=lifetime", await cursor("advertisers")],
  ] as const) {
    expect(
      await caller.invalid("GET", withQuery(`${path}/${list}`, `after=${after}`)),
      `${list} ${after}`,
    ).toEqual(["after"]);
  }
});

it("gives no cursor in an order by counts or amounts", async () => {
  const publisher = await aPublisher(service);
  await addRows(publisher.workspace.id, [1, 2, 3]);

  for (const list of ["ads?sort=ctr", "advertisers?sort=monthly"]) {
    expect((await read(publisher, list, "perPage=1")).nextCursor).toBeNull();
  }
});
