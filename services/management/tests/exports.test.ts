import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { adInList } from "#libs/contract/ad.ts";
import { pageOf } from "#libs/contract/query.ts";
import { adsCsv } from "../ads/csv.ts";
import { streamExport } from "../privacy/export.ts";
import { invoiceOf, webhooksApplied } from "./ledger-story.ts";
import { startManagement } from "./management.ts";
import { linesOf } from "./read-csv.ts";
import { aField, anApprovedAd, aPublisher } from "./story.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { pool } = service.database;

const ads = pageOf(adInList);

/** The lines of a CSV file by their headings. */
async function fileOf(caller: Awaited<ReturnType<typeof aPublisher>>["caller"], path: string) {
  const { status, text, headers } = await caller.request("GET", path);
  expect([status, headers.get("content-type")?.slice(0, 8)]).toEqual([200, "text/csv"]);
  const [head = [], ...rows] = linesOf(text);
  const name = headers.get("content-disposition");
  return { name, rows: rows.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at]]))) };
}

/** A publisher with one ad, its field values and a refund. */
async function sold() {
  const publisher = await aPublisher(service);
  const tagline = await aField(publisher, { name: "Tagline", key: "tagline" });
  const rating = await aField(publisher, { name: "Rating", key: "rating", type: "Number" });
  const running = await anApprovedAd(service, publisher);
  await pool.query("update ads set meta = $2 where id = $1", [
    running.id,
    { [tagline.id]: "=1+1", [rating.id]: 4.5 },
  ]);
  const invoiceId = await invoiceOf(service, running.subscription.advertiser.id);
  const refunds = `${publisher.path}/invoices/${invoiceId}/refunds`;
  await publisher.caller.request("POST", refunds, { amount: 900, note: "@SUM(A1)" });
  await webhooksApplied(service);
  return { ...publisher, running, invoiceId, fields: [tagline, rating] };
}

it("lists ads with their field values in one request where asked", async () => {
  const { caller, path, running, fields } = await sold();

  const plain = await caller.ok(ads, "GET", `${path}/ads`);
  const whole = await caller.ok(ads, "GET", `${path}/ads?include=meta`);
  const one = await caller.request("GET", `${path}/ads/${running.id}`);

  expect(plain.items[0]).not.toHaveProperty("meta");
  expect(whole.items[0]?.meta).toEqual([
    { fieldId: fields[0]?.id, value: "=1+1" },
    { fieldId: fields[1]?.id, value: 4.5 },
  ]);
  expect(whole.items[0]?.meta).toEqual(JSON.parse(one.text).meta);
});

it("ends a page with field values at 1 MiB, and goes on with the next ad", async () => {
  const { caller, path, workspace, fields, running } = await sold();
  const subscription = running.subscription.id;
  await pool.query(
    `with copies as (
      insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
      select 'sub_' || md5(n::text || $1), workspace_id, advertiser_id, tier_id, price_id, md5(n::text || $1), 'Active'
      from subscriptions, generate_series(1, 60) n where id = $2 returning id)
    insert into ads (id, workspace_id, subscription_id, name, website_url, meta)
      select 'ad_' || substr(id, 5), $1, id, 'Copy', 'https://example.com', jsonb_build_object($3::text, repeat('x', 30000)) from copies`,
    [workspace.id, subscription, fields[0]?.id],
  );
  const sizes: number[] = [];
  const seen: string[] = [];

  let query = "include=meta&perPage=100";
  for (;;) {
    const { text } = await caller.request("GET", `${path}/ads?${query}`);
    const { items, nextCursor, total } = ads.parse(JSON.parse(text));
    expect(total).toBe(61);
    sizes.push(text.length);
    seen.push(...items.map(({ id }) => id));
    if (nextCursor === null) break;
    query = `include=meta&perPage=100&after=${nextCursor}`;
  }

  expect(sizes.length).toBe(2);
  expect(Math.max(...sizes)).toBeLessThan(1.1 * 1024 * 1024);
  expect([seen.length, new Set(seen).size]).toEqual([61, 61]);
  for (const wrong of ["page=2", "sort=ctr"]) {
    expect(await caller.invalid("GET", `${path}/ads?include=meta&${wrong}`)).toEqual(["include"]);
  }
  const file = await fileOf(caller, `${path}/ads.csv`);
  expect(file.rows.map(({ id }) => id)).toEqual(seen);
});

it("has a megabyte of large ads in memory at a time, whatever the file", async () => {
  const { workspace, fields, running } = await sold();
  await pool.query(
    `with copies as (
      insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
      select 'sub_' || md5(n::text || $1), workspace_id, advertiser_id, tier_id, price_id, md5(n::text || $1), 'Active'
      from subscriptions, generate_series(1, 100) n where id = $2 returning id), made as (
      insert into ads (id, workspace_id, subscription_id, name, website_url, meta)
        select 'ad_' || substr(id, 5), $1, id, 'Copy', 'https://example.com', jsonb_build_object($3::text, repeat('x', 30000)) from copies returning id)
    insert into revisions (ad_id, workspace_id, name, website_url, meta, version, submitted_at)
      select id, $1, 'Copy', 'https://example.com', jsonb_build_object($3::text, repeat('x', 30000)), 2, now() from made`,
    [workspace.id, running.subscription.id, fields[0]?.id],
  );
  const { db } = service.database;
  const files = [
    await adsCsv(db, workspace.id, { sort: "newest" }, new Date()),
    streamExport(db, { kind: "workspace", id: workspace.id }, {}),
  ];

  for (const file of files) {
    const parts: number[] = [];
    for await (const part of file) parts.push(part.byteLength);
    expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(3_000_000);
    expect(Math.max(...parts)).toBeLessThan(1024 * 1024);
  }
});

it("writes ads with their values, and starts no formula", async () => {
  const { caller, path, running } = await sold();

  const { name, rows } = await fileOf(caller, `${path}/ads.csv?status=Approved`);

  expect(name).toMatch(/^attachment; filename="ads-\d{4}-\d\d-\d\d\.csv"$/);
  expect(rows).toMatchObject([
    {
      id: running.id,
      status: "Approved",
      subscriptionId: running.subscription.id,
      amount: "4900",
      "meta.tagline": "'=1+1",
      "meta.rating": "4.5",
    },
  ]);
  expect((await fileOf(caller, `${path}/ads.csv?status=Rejected`)).rows).toEqual([]);
});

it("writes advertisers with the totals of their list", async () => {
  const { caller, path, running } = await sold();

  const { rows } = await fileOf(caller, `${path}/advertisers.csv`);

  expect(rows).toMatchObject([
    {
      id: running.subscription.advertiser.id,
      lifetimeAmount: "4000",
      refundedAmount: "900",
      currency: "usd",
    },
  ]);
});

it("lists and writes refunds with what they were of, by the day of the refund", async () => {
  const { caller, path, running, invoiceId } = await sold();
  const list = async (query: string) => {
    const { text } = await caller.request("GET", `${path}/refunds?${query}`);
    return pageOf(z.looseObject({ invoiceId: z.string() })).parse(JSON.parse(text)).items;
  };
  const all = await list("");
  const [{ refundedAt }] = z
    .array(z.looseObject({ refundedAt: z.string() }))
    .min(1)
    .parse(all) as [{ refundedAt: string }];
  const day = refundedAt.slice(0, 10);
  const before = new Date(Date.parse(day) - 1).toISOString().slice(0, 10);

  expect(all).toMatchObject([
    { invoiceId, subscriptionId: running.subscription.id, adId: running.id, amount: 900, note: "@SUM(A1)" },
  ]);
  expect(await list(`from=${day}&to=${day}`)).toEqual(all);
  expect(await list(`from=${day.slice(0, 7)}`)).toEqual(all);
  expect(await list(`to=${before}`)).toEqual([]);
  expect(await list("clientReference=none")).toEqual([]);
  const { rows } = await fileOf(caller, `${path}/refunds.csv?from=${day}`);
  expect(rows).toMatchObject([{ invoiceId, amount: "900", note: "'@SUM(A1)" }]);
});

it("filters invoices by days and by months, both to their ends", async () => {
  const { caller, path, invoiceId } = await sold();
  const list = async (query: string) => {
    const { text } = await caller.request("GET", `${path}/invoices?${query}`);
    return pageOf(z.looseObject({ id: z.string() }))
      .parse(JSON.parse(text))
      .items.map(({ id }) => id);
  };
  const at = "2026-03-31T23:59:59.999Z";
  await pool.query("update invoices set issued_at = $2 where id = $1", [invoiceId, at]);

  for (const found of [
    "from=2026-03-31",
    "to=2026-03-31",
    "from=2026-03-31&to=2026-03-31",
    "from=2026-03&to=2026-03-31",
  ]) {
    expect(await list(found), found).toEqual([invoiceId]);
  }
  for (const none of ["to=2026-03-30", "from=2026-04-01", "from=2026-04", "to=2026-02"]) {
    expect(await list(none), none).toEqual([]);
  }
  for (const wrong of ["from=2026-02-30", "from=2026-3-1", "to=2026-13", "from=2026-03-02&to=2026-03-01"]) {
    await caller.refused(422, "GET", `${path}/invoices?${wrong}`);
  }
});

it("finds many ads of a file by one search, and reads no more than its first part for HEAD", async () => {
  const { caller, path, workspace, running } = await sold();
  await pool.query(
    `with copies as (
      insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status)
      select 'sub_' || md5(n::text || $1), workspace_id, advertiser_id, tier_id, price_id, md5(n::text || $1), 'Active'
      from subscriptions, generate_series(1, 1500) n where id = $2 returning id)
    insert into ads (id, workspace_id, subscription_id, name, website_url)
      select 'ad_' || substr(id, 5), $1, id, 'Copy', 'https://example.com' from copies`,
    [workspace.id, running.subscription.id],
  );
  const sent = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => sent.mockRestore());
  const countOf = (part: string) =>
    sent.mock.calls.filter(([query]) => JSON.stringify(query).includes(part)).length;

  const head = await caller.request("HEAD", `${path}/ads.csv?query=copy`);
  const forHead = { searches: countOf("ilike"), reads: countOf(`\\"meta\\"`) };
  sent.mockClear();
  const file = await fileOf(caller, `${path}/ads.csv?query=copy`);

  expect([head.status, head.text]).toEqual([200, ""]);
  expect(forHead).toEqual({ searches: 1, reads: 1 });
  expect(new Set(file.rows.map(({ id }) => id)).size).toBe(1_500);
  expect(countOf("ilike")).toBe(2);
});

it("reads one part at a time of an owner's files, however many are under way", async () => {
  const { caller, path } = await sold();
  const query = pg.Client.prototype.query;
  let reading = 0;
  let most = 0;
  const sent = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const answer: unknown = Reflect.apply(query, this, given);
    if (!JSON.stringify(given[0]).includes(`\\"meta\\"`)) return answer;
    reading += 1;
    most = Math.max(most, reading);
    return Promise.resolve(answer).finally(() => {
      reading -= 1;
    });
  });
  onTestFinished(() => sent.mockRestore());

  const files = Array.from({ length: 8 }, () => caller.request("GET", `${path}/ads.csv`));

  expect((await Promise.all(files)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(most).toBe(1);
});
