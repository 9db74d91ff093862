import { type Options, stringify } from "csv-stringify/sync";
import { presentInvoice } from "./present.ts";
import type { LedgerRow } from "./queries.ts";

/** Reads the rows that come after one; undefined is the start. Empty at the end. */
export type NextRows = (after: LedgerRow | undefined) => Promise<LedgerRow[]>;

const COLUMNS = [
  "id",
  "number",
  "status",
  "currency",
  "total",
  "amountPaid",
  "amountDue",
  "amountRefunded",
  "disputed",
  "issuedAt",
  "paidAt",
  "periodStart",
  "periodEnd",
  "subscriptionId",
  "advertiserId",
  "advertiserName",
  "advertiserEmail",
  "hostedUrl",
  "pdfUrl",
] as const;

const FORMAT: Options = {
  columns: [...COLUMNS],
  record_delimiter: "\r\n",
  // The advertiser chooses the name, and spreadsheets run what begins like a formula.
  escape_formulas: true,
  cast: { boolean: String },
};

/**
 * Invoices as CSV (RFC 4180, UTF-8 with a byte order mark, one line of headings), read in parts as fast as they are taken
 * away, so that an export of any length needs the memory of a few parts. Throws what the first reading throws; a later
 * failure breaks the stream off.
 */
export async function streamCsv(next: NextRows): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let rows = await next(undefined);
  const head = stringify(rows.map(toLine), { ...FORMAT, header: true, bom: true });
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    async pull(controller) {
      rows = rows.length === 0 ? [] : await next(rows.at(-1));
      if (rows.length === 0) controller.close();
      else controller.enqueue(encoder.encode(stringify(rows.map(toLine), FORMAT)));
    },
  });
}

function toLine(row: LedgerRow): Record<(typeof COLUMNS)[number], string | number | boolean | null> {
  const { advertiser, refunds: _refunds, ...invoice } = presentInvoice(row);
  return {
    ...invoice,
    advertiserId: advertiser.id,
    advertiserName: advertiser.name,
    advertiserEmail: advertiser.email,
  };
}
