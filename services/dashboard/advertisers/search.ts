import { INVOICE_STATUSES, type InvoiceStatus } from "#libs/domain/invoice.ts";
import { oneOf, readPage, readText } from "../ads/ad-filters.ts";

/** What the address of the advertisers holds. */
export interface AdvertisersSearch {
  readonly q?: string;
  readonly page?: number;
}

export function readAdvertisersSearch({ q, page }: Record<string, unknown>): AdvertisersSearch {
  const text = readText(q);
  return { ...(text === "" ? {} : { q: text }), ...otherThanFirst(readPage(page)) };
}

/** What the address of one advertiser holds: which of its invoices are shown. */
export interface AdvertiserSearch {
  readonly invoices?: InvoiceStatus;
  readonly page?: number;
}

export function readAdvertiserSearch({ invoices, page }: Record<string, unknown>): AdvertiserSearch {
  const status = oneOf(INVOICE_STATUSES, invoices);
  return { ...(status === null ? {} : { invoices: status }), ...otherThanFirst(readPage(page)) };
}

/** A page for the address, which does not name the first. */
function otherThanFirst(page: number): { readonly page?: number } {
  return page === 1 ? {} : { page };
}
