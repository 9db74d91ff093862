import { INVOICE_STATUSES, type InvoiceStatus } from "#libs/domain/invoice.ts";
import { ADVERTISER_ORDERS, type AdvertiserOrder } from "#libs/domain/list-orders.ts";
import { SUBSCRIPTION_FILTERS, type SubscriptionFilter } from "#libs/domain/subscription.ts";
import { oneOf, readPageSearch, readText } from "../components/search.ts";

type Search = Readonly<Record<string, unknown>>;

export interface AdvertisersSearch {
  readonly q?: string;
  readonly subscription?: SubscriptionFilter;
  readonly sort?: AdvertiserOrder;
  readonly page?: number;
}

/** Reads what the list of advertisers shows from its address. Defaults stay out of the address. */
export function readAdvertisersSearch(search: Search): AdvertisersSearch {
  const text = readText(search.q);
  const subscription = oneOf(SUBSCRIPTION_FILTERS, search.subscription);
  const sort = oneOf(ADVERTISER_ORDERS, search.sort);
  return {
    ...(text === "" ? {} : { q: text }),
    ...(subscription === null ? {} : { subscription }),
    ...(sort === null || sort === "newest" ? {} : { sort }),
    ...readPageSearch(search),
  };
}

/** Reads which invoices of an advertiser are shown from the address of its page. */
export function readAdvertiserSearch(search: Search): {
  readonly invoices?: InvoiceStatus;
  readonly page?: number;
} {
  const status = oneOf(INVOICE_STATUSES, search.invoices);
  return { ...(status === null ? {} : { invoices: status }), ...readPageSearch(search) };
}

interface PaymentsSearch {
  readonly q?: string;
  readonly status?: InvoiceStatus;
  readonly page?: number;
}

/** Reads which of the workspace's invoices are shown from the address. */
export function readPaymentsSearch(search: Search): PaymentsSearch {
  const text = readText(search.q);
  const status = oneOf(INVOICE_STATUSES, search.status);
  return {
    ...(text === "" ? {} : { q: text }),
    ...(status === null ? {} : { status }),
    ...readPageSearch(search),
  };
}
