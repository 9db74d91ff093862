import { expect, it } from "vitest";
import { streamCsv } from "../../api/csv.ts";
import { INVOICE_COLUMNS, invoiceLine } from "./csv.ts";
import type { LedgerRow } from "./queries.ts";

const AT = new Date("2026-11-21T09:30:00.000Z");

function aRow(n: number, changes: Partial<LedgerRow> = {}): LedgerRow {
  return {
    id: `invoice_${n}`,
    workspace_id: "ws_1",
    advertiser_id: "adv_1",
    subscription_id: "sub_1",
    provider_invoice_id: `in_${n}`,
    number: `A1-${n}`,
    status: "paid",
    currency: "usd",
    total: 4900,
    amount_paid: 4900,
    amount_due: 4900,
    issued_at: AT,
    paid_at: AT,
    period_start: AT,
    period_end: AT,
    renewal_failed_at: null,
    hosted_url: null,
    pdf_url: null,
    sync_version: 0,
    updated_at: AT,
    changed_at: AT,
    ad_id: null,
    client_reference: null,
    metadata: {},
    advertiser_name: "Example Coffee",
    advertiser_email: "ads@coffee.example",
    amount_refunded: 0,
    disputed: false,
    dispute: null,
    provider_account: null,
    refunds: [],
    ...changes,
  };
}

/** The file of invoices that `next` reads: the rows behind a cursor, and none at the end. */
async function fileOf(next: (after: string | undefined) => Promise<LedgerRow[]>) {
  return await streamCsv(
    (read) => read(),
    INVOICE_COLUMNS,
    async (after) => {
      const rows = await next(after);
      return { lines: rows.map(invoiceLine), next: rows.at(-1)?.id ?? null };
    },
  );
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}

it("quotes fields with line breaks, commas or quotes (RFC 4180)", async () => {
  const rows = [aRow(1, { advertiser_name: 'Café "Ö",\r\nand\nmore' })];

  const text = await textOf(await fileOf(async (after) => (after === undefined ? rows : [])));

  expect(text).toContain('"Café ""Ö"",\r\nand\nmore"');
  expect(text.endsWith("\r\n")).toBe(true);
});

it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])(
  "puts an apostrophe before a name that begins like a formula: %j",
  async (name) => {
    const text = await textOf(
      await fileOf(async (after) => (after === undefined ? [aRow(1, { advertiser_name: name })] : [])),
    );

    expect(text).toMatch(new RegExp(`,"?'${name.replace(/[+()]/g, "\\$&")}"?,`));
  },
);

it("keeps negative amounts as numbers", async () => {
  const text = await textOf(
    await fileOf(async (after) => (after === undefined ? [aRow(1, { total: -4900 })] : [])),
  );

  expect(text).toContain(",usd,-4900,");
});

it("reads only a little ahead of the reader, and stops when the reader cancels", async () => {
  let reads = 0;
  const stream = await fileOf(async () => {
    reads += 1;
    return [aRow(reads)];
  });
  const reader = stream.getReader();

  for (let n = 0; n < 5; n += 1) await reader.read();
  const ahead = reads - 5;
  await reader.cancel();
  const stopped = reads;
  await new Promise((resolve) => setImmediate(resolve));

  expect(ahead).toBeLessThanOrEqual(2);
  expect(reads).toBe(stopped);
});

it("rejects if the first read fails, and aborts the stream on a later failure", async () => {
  const failing = async (after: string | undefined) => {
    if (after === undefined) return [aRow(1)];
    throw new Error("the database is away");
  };

  await expect(fileOf(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  await expect(fileOf(failing).then(textOf)).rejects.toThrow("the database is away");
});
