import type { Insertable } from "kysely";
import { expect, it } from "vitest";
import { advertiser } from "#libs/contract/advertisers.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { dailyRevenue, revenue } from "#libs/contract/revenue.ts";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import { billed, webhooksApplied } from "../../tests/ledger-story.ts";
import { startManagement } from "../../tests/management.ts";
import { linesOf } from "../../tests/read-csv.ts";
import { anApprovedAd, aPaidCheckout, aPublisher, aTier, type Publisher } from "../../tests/story.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const service = await startManagement({ unlimited: true, stats: "real", now: () => NOW });
const { db } = service.database;
const page = pageOf(invoice);
/** Who has sold nothing. */
const newcomer = await aPublisher(service, "New Weekly");

/** A publisher with one subscription, whose invoices are only those that a test writes. */
async function aLedger(payer: { readonly name?: string } = {}) {
  const publisher = await aPublisher(service);
  const tier = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, tier.prices[0]?.id ?? "");
  await checkout.caller.request("GET", checkout.path);
  await billed(service, publisher.workspace.id, 1);
  await webhooksApplied(service);
  await db.deleteFrom("invoices").where("workspace_id", "=", publisher.workspace.id).execute();
  const subscription = await db
    .updateTable("advertisers")
    .from("subscriptions")
    .whereRef("subscriptions.advertiser_id", "=", "advertisers.id")
    .where("advertisers.workspace_id", "=", publisher.workspace.id)
    .set({ name: payer.name ?? "Example Coffee" })
    .returning(["subscriptions.id", "advertisers.id as advertiser_id"])
    .executeTakeFirstOrThrow();
  return { ...publisher, subscription };
}

type Ledger = Awaited<ReturnType<typeof aLedger>>;

/** An invoice of 49 dollars, paid when it was issued. */
async function write(
  of: Ledger,
  issued: string,
  changes: Partial<Insertable<Tables["invoices"]>> = {},
): Promise<string> {
  const at = new Date(issued);
  const id = newId("invoice");
  await db
    .insertInto("invoices")
    .values({
      id,
      workspace_id: of.workspace.id,
      advertiser_id: of.subscription.advertiser_id,
      subscription_id: of.subscription.id,
      provider_invoice_id: `in_${id}`,
      number: "A1-0001",
      status: "paid",
      currency: "usd",
      total: 4900,
      amount_paid: 4900,
      amount_due: 4900,
      issued_at: at,
      paid_at: at,
      period_start: at,
      period_end: new Date(at.getTime() + 30 * 86_400_000),
      ...changes,
    })
    .execute();
  return id;
}

async function refund(of: Ledger, invoiceId: string, amount: number, at: string, currency = "usd") {
  const chargeId = `ch_${newId("invoice")}`;
  await db
    .insertInto("charges")
    .values({
      provider_charge_id: chargeId,
      workspace_id: of.workspace.id,
      invoice_id: invoiceId,
      amount_refunded: amount,
      disputed: false,
    })
    .execute();
  await db
    .insertInto("refunds")
    .values({
      id: newId("refund"),
      workspace_id: of.workspace.id,
      provider_refund_id: `re_${chargeId}`,
      provider_charge_id: chargeId,
      amount,
      currency,
      reason: "requested_by_customer",
      refunded_at: new Date(at),
    })
    .execute();
}

async function listed({ caller, path }: Publisher, query = "") {
  return await caller.ok(page, "GET", `${path}/invoices${query}`);
}

async function idsOf(of: Publisher, query: string) {
  return (await listed(of, query)).items.map(({ id }) => id);
}

it("shows a sale, its refund and its dispute as the webhooks bring them", async () => {
  const publisher = await aPublisher(service);
  const { subscription } = await anApprovedAd(service, publisher);
  await billed(service, publisher.workspace.id, 1);
  const { stripe } = service.processor;
  const { data } = await stripe.charges.list({ limit: 1 });
  const chargeId = data[0]?.id ?? "";

  const refund = { amount: 900, reason: "duplicate" };
  await publisher.caller.request("POST", `/sandbox/charges/${chargeId}/refund`, refund);
  await publisher.caller.request("POST", `/sandbox/charges/${chargeId}/dispute`, {});

  await expect.poll(async () => (await listed(publisher)).items[0]?.disputed, { timeout: 20_000 }).toBe(true);
  const { items, total } = await listed(publisher);
  expect(total).toBe(1);
  expect(items[0]).toMatchObject({
    status: "paid",
    currency: "usd",
    total: 4900,
    amountPaid: 4900,
    amountRefunded: 900,
    refunds: [{ amount: 900, reason: "duplicate" }],
    subscriptionId: subscription.id,
    advertiser: { id: subscription.advertiser.id, name: "Example Coffee" },
    hostedUrl: expect.stringMatching(/^http/),
  });
});

it("lists invoices newest first, by status, advertiser, subscription and UTC months", async () => {
  const ledger = await aLedger();
  const last = await write(ledger, "2026-03-01T00:00:00.000Z");
  const open = await write(ledger, "2026-02-28T23:59:59.999Z", {
    status: "open",
    amount_paid: 0,
    paid_at: null,
  });
  const first = await write(ledger, "2026-01-01T00:00:00.000Z");
  const before = await write(ledger, "2025-12-31T23:59:59.999Z");
  const { subscription } = ledger;

  expect(await idsOf(ledger, "")).toEqual([last, open, first, before]);
  expect(await idsOf(ledger, "?status=open")).toEqual([open]);
  expect(await idsOf(ledger, "?status=void")).toEqual([]);
  expect(await idsOf(ledger, "?from=2026-01&to=2026-02")).toEqual([open, first]);
  expect(await idsOf(ledger, "?from=2026-03")).toEqual([last]);
  expect(await idsOf(ledger, "?to=2025-12")).toEqual([before]);
  expect(await idsOf(ledger, "?status=paid&from=2026-01&to=2026-01")).toEqual([first]);
  expect(await idsOf(ledger, `?advertiserId=${subscription.advertiser_id}`)).toHaveLength(4);
  expect(await idsOf(ledger, `?subscriptionId=${subscription.id}`)).toHaveLength(4);
  for (const nobody of [newId("advertiser"), "adv_1", "%00", ""]) {
    expect(await idsOf(ledger, `?advertiserId=${nobody}`)).toEqual([]);
    expect(await idsOf(ledger, `?subscriptionId=${nobody}`)).toEqual([]);
  }
});

it("finds invoices by part of their number, or of the advertiser's name or email address", async () => {
  const ledger = await aLedger();
  const numbered = await write(ledger, "2026-03-01T00:00:00.000Z", { number: "ZEBRA_7-0001" });
  const other = await write(ledger, "2026-02-01T00:00:00.000Z", { number: "HERON-0001" });

  expect(await idsOf(ledger, "?query=zebra_7")).toEqual([numbered]);
  expect(await idsOf(ledger, "?query=ZEBRA%257")).toEqual([]);
  expect(await idsOf(ledger, "?query=example%20coff")).toEqual([numbered, other]);
  expect(await idsOf(ledger, "?query=%20")).toEqual([numbered, other]);
  expect(await idsOf(ledger, "?query=nobody")).toEqual([]);
});

it.each([
  ["status=Paid", "status"],
  ["from=2026-13", "from"],
  ["from=2026-1", "from"],
  ["to=1999-12", "to"],
  ["from=2026-02&to=2026-01", "to"],
])("refuses ?%s with 422 on %s, for the list and the export alike", async (query, field) => {
  for (const name of ["invoices", "invoices.csv"]) {
    expect(await newcomer.caller.invalid("GET", `${newcomer.path}/${name}?${query}`)).toEqual([field]);
  }
});

it("exports the filtered invoices, without formulas that spreadsheets would run", async () => {
  const ledger = await aLedger({ name: '=HYPERLINK("http://evil.example";"Café, 1")' });
  const draft = await write(ledger, "2026-02-01T10:00:00.000Z", {
    status: "draft",
    number: null,
    total: -100,
    amount_paid: 0,
    paid_at: null,
  });
  const paid = await write(ledger, "2026-01-01T00:00:00.000Z");
  await refund(ledger, paid, 900, "2026-01-05T00:00:00.000Z");
  await write(ledger, "2025-01-01T00:00:00.000Z");

  const file = await ledger.caller.request("GET", `${ledger.path}/invoices.csv?from=2026-01`);
  const bytes = await fetch(`${service.origin}${ledger.path}/invoices.csv`, {
    headers: { authorization: `Bearer ${ledger.key.key}` },
  });

  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="invoices-2026-11-21.csv"');
  expect([...new Uint8Array(await bytes.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [head, ...rows] = linesOf(file.text);
  const records = rows.map((row) => Object.fromEntries(row.map((value, n) => [head?.[n] ?? "", value])));
  expect(records.map(({ id }) => id)).toEqual([draft, paid]);
  expect(records[0]).toMatchObject({
    number: "",
    status: "draft",
    total: "-100",
    paidAt: "",
    disputed: "false",
  });
  expect(records[1]).toMatchObject({
    number: "A1-0001",
    amountPaid: "4900",
    amountRefunded: "900",
    currency: "usd",
    issuedAt: "2026-01-01T00:00:00.000Z",
    subscriptionId: ledger.subscription.id,
    advertiserName: `'=HYPERLINK("http://evil.example";"Café, 1")`,
  });
});

it("exports several parts, each invoice once and in order, even with equal times", async () => {
  const ledger = await aLedger();
  const count = 1_250;
  await service.database.pool.query(
    `insert into invoices (id, workspace_id, advertiser_id, subscription_id, provider_invoice_id, status, currency,
       total, amount_paid, amount_due, issued_at, paid_at, period_start, period_end)
     select 'invoice_' || lpad(n::text, 26, '0'), $1, $2, $3, 'in_many_' || n, 'paid', 'usd', n, n, n, at, at, at, at
     from (select n, '2026-01-01T00:00:00Z'::timestamptz + n / 100 * interval '1 ms' as at
           from generate_series(1, $4::int) n) numbered`,
    [ledger.workspace.id, ledger.subscription.advertiser_id, ledger.subscription.id, count],
  );

  const file = await ledger.caller.request("GET", `${ledger.path}/invoices.csv`);

  const totals = linesOf(file.text)
    .slice(1)
    .map((row) => Number(row[4]));
  expect(totals).toEqual(Array.from({ length: count }, (_one, n) => count - n));
});

it("exports only the headings of an empty ledger", async () => {
  const { caller, path } = newcomer;

  const file = await caller.request("GET", `${path}/invoices.csv`);

  expect(linesOf(file.text)).toEqual([expect.arrayContaining(["id", "amountPaid", "advertiserEmail"])]);
});

it("sums payments and refunds by UTC month and currency", async () => {
  const ledger = await aLedger();
  const september = await write(ledger, "2026-09-30T23:59:59.999Z");
  await write(ledger, "2026-10-01T00:00:00.000Z", { total: 5000, amount_paid: 4000 });
  await write(ledger, "2026-10-15T00:00:00.000Z", { status: "open", amount_paid: 0, paid_at: null });
  const yen = await write(ledger, "2026-10-15T00:00:00.000Z", { currency: "jpy", amount_paid: 800 });
  await write(ledger, "2026-10-31T00:00:00.000Z", {
    paid_at: new Date("2026-11-01T00:00:00.000Z"),
    amount_paid: 0,
  });
  await refund(ledger, september, 4900, "2026-10-31T23:59:59.999Z");
  await refund(ledger, yen, 300, "2026-11-02T00:00:00.000Z", "jpy");

  const shown = await ledger.caller.ok(revenue, "GET", `${ledger.path}/revenue?months=2`);

  expect(shown).toEqual({
    months: 2,
    currencies: [
      {
        currency: "usd",
        rows: [
          { month: "2026-10", gross: 4000, refunded: 4900, net: -900, invoices: 1 },
          { month: "2026-11", gross: 0, refunded: 0, net: 0, invoices: 1 },
        ],
        totals: { gross: 4000, refunded: 4900, net: -900, invoices: 2 },
      },
      {
        currency: "jpy",
        rows: [
          { month: "2026-10", gross: 800, refunded: 0, net: 800, invoices: 1 },
          { month: "2026-11", gross: 0, refunded: 300, net: -300, invoices: 0 },
        ],
        totals: { gross: 800, refunded: 300, net: 500, invoices: 1 },
      },
    ],
  });
});

it("sums payments and refunds by UTC day", async () => {
  const ledger = await aLedger();
  await write(ledger, "2026-11-18T23:59:59.999Z");
  const paid = await write(ledger, "2026-11-19T00:00:00.000Z", { amount_paid: 4000 });
  await write(ledger, "2026-11-20T12:00:00.000Z", { currency: "jpy", amount_paid: 800 });
  await refund(ledger, paid, 100, "2026-11-21T11:59:59.999Z");

  const shown = await ledger.caller.ok(dailyRevenue, "GET", `${ledger.path}/revenue/daily?days=3`);

  const none = { gross: 0, refunded: 0, net: 0, invoices: 0 };
  const [first, second, third] = [19, 20, 21].map((day) => `2026-11-${day}T00:00:00.000Z`);
  expect(shown).toEqual({
    days: 3,
    currencies: [
      {
        currency: "usd",
        rows: [
          { date: first, gross: 4000, refunded: 0, net: 4000, invoices: 1 },
          { date: second, ...none },
          { date: third, gross: 0, refunded: 100, net: -100, invoices: 0 },
        ],
        totals: { gross: 4000, refunded: 100, net: 3900, invoices: 1 },
      },
      {
        currency: "jpy",
        rows: [
          { date: first, ...none },
          { date: second, gross: 800, refunded: 0, net: 800, invoices: 1 },
          { date: third, ...none },
        ],
        totals: { gross: 800, refunded: 0, net: 800, invoices: 1 },
      },
    ],
  });
});

it("has 30 days of revenue unless 1 to 365 are asked for", async () => {
  const { caller, path } = newcomer;

  const usual = await caller.ok(dailyRevenue, "GET", `${path}/revenue/daily`);
  const most = await caller.ok(dailyRevenue, "GET", `${path}/revenue/daily?days=365`);

  expect([usual.days, usual.currencies[0]?.rows.length]).toEqual([30, 30]);
  expect([most.days, most.currencies[0]?.rows[0]?.date]).toEqual([365, "2025-11-22T00:00:00.000Z"]);
  for (const wrong of ["0", "366", "1.5", "abc", ""]) {
    expect(await caller.invalid("GET", `${path}/revenue/daily?days=${wrong}`)).toEqual(["days"]);
  }
});

it("has 12 months of revenue unless 1 to 60 are asked for", async () => {
  const { caller, path } = newcomer;

  const usual = await caller.ok(revenue, "GET", `${path}/revenue`);
  const most = await caller.ok(revenue, "GET", `${path}/revenue?months=60`);

  expect([usual.months, usual.currencies[0]?.rows.length]).toEqual([12, 12]);
  expect([most.months, most.currencies[0]?.rows[0]?.month]).toEqual([60, "2021-12"]);
  for (const wrong of ["0", "61", "1.5", "abc", ""]) {
    expect(await caller.invalid("GET", `${path}/revenue?months=${wrong}`)).toEqual(["months"]);
  }
});

it("takes lifetimeAmount from paid invoices, and estimates the time before the ledger", async () => {
  const ledger = await aLedger();
  const { id, advertiser_id } = ledger.subscription;
  const path = `${ledger.path}/advertisers/${advertiser_id}`;
  const lifetime = async () => (await ledger.caller.ok(advertiser, "GET", path)).totals.lifetimeAmount;
  await db
    .updateTable("subscriptions")
    .set({
      created_at: new Date("2026-08-10"),
      current_period_start: new Date("2026-11-10"),
      current_period_end: new Date("2026-12-10"),
      paid_amount: 1000,
    })
    .where("id", "=", id)
    .execute();
  await db.deleteFrom("ledger_fills").execute();

  const estimated = await lifetime();
  await write(ledger, "2026-11-10T00:00:00.000Z", { amount_paid: 1500 });
  await write(ledger, "2026-11-11T00:00:00.000Z", { status: "open", amount_paid: 0, paid_at: null });
  const partly = await lifetime();
  await db.insertInto("ledger_fills").values({ account: "" }).execute();
  const known = await lifetime();

  expect([estimated, partly, known]).toEqual([4 * 1000, 3 * 1000 + 1500, 1500]);
});
