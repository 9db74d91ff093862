import { INVOICE_STATUSES, type InvoiceStatus } from "#libs/domain/invoice.ts";
import { oneOf, readPageSearch, readText } from "../components/search.ts";

type Search = Readonly<Record<string, unknown>>;

/** Reads what the list of advertisers shows from its address. */
export function readAdvertisersSearch(search: Search): { readonly q?: string; readonly page?: number } {
  const text = readText(search.q);
  return { ...(text === "" ? {} : { q: text }), ...readPageSearch(search) };
}

/** Reads which invoices of an advertiser are shown from the address of its page. */
export function readAdvertiserSearch(search: Search): {
  readonly invoices?: InvoiceStatus;
  readonly page?: number;
} {
  const status = oneOf(INVOICE_STATUSES, search.invoices);
  return { ...(status === null ? {} : { invoices: status }), ...readPageSearch(search) };
}
