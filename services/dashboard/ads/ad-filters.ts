import type { z } from "zod";
import type { adsContract } from "#libs/contract/ads.ts";
import { AD_ORDERS, type AdOrder } from "#libs/domain/list-orders.ts";
import { AD_STATUSES, type AdStatus } from "#libs/domain/review.ts";
import { SUBSCRIPTION_FILTERS, type SubscriptionFilter } from "#libs/domain/subscription.ts";
import { oneOf, readPageSearch, readText } from "../components/search.ts";

type AdsInput = z.output<(typeof adsContract.list)["~orpc"]["inputSchema"] & object>;

export const SERVING_CHOICES = ["yes", "no"] as const satisfies readonly AdsInput["serving"][];
type ServingChoice = (typeof SERVING_CHOICES)[number];

/** The ads that a list shows, by the parameters of the page's address. A filter that is left out shows all. */
export interface AdFilters {
  readonly status?: AdStatus;
  readonly tier?: string;
  readonly serving?: ServingChoice;
  readonly subscription?: SubscriptionFilter;
  /** Part of a name, an address or an advertiser. Case does not matter. */
  readonly q?: string;
  /** Newest first unless given. */
  readonly sort?: AdOrder;
  /** From 2. The first page is left out. */
  readonly page?: number;
}

/** The parameters of an address, which anybody may have written. */
export type AdSearch = Readonly<Partial<Record<keyof AdFilters, unknown>>>;

/** Reads the filters from an address. Defaults and invalid values are left out. */
export function readAdFilters(search: AdSearch): AdFilters {
  const status = oneOf(AD_STATUSES, search.status);
  const tier = readText(search.tier);
  const serving = oneOf(SERVING_CHOICES, search.serving);
  const subscription = oneOf(SUBSCRIPTION_FILTERS, search.subscription);
  const q = readText(search.q);
  const sort = oneOf(AD_ORDERS, search.sort);
  return {
    ...(status === null ? {} : { status }),
    ...(tier === "" ? {} : { tier }),
    ...(serving === null ? {} : { serving }),
    ...(subscription === null ? {} : { subscription }),
    ...(q === "" ? {} : { q }),
    ...(sort === null || sort === "newest" ? {} : { sort }),
    ...readPageSearch(search),
  };
}

/** Changes filters, blank for all, and returns to the first page. */
export function changeAdFilters(filters: AdFilters, change: AdSearch): AdFilters {
  return readAdFilters({ ...filters, page: 1, ...change });
}

/** Clears everything but the order. */
export const NO_FILTERS: Readonly<Record<Exclude<keyof AdFilters, "sort" | "page">, "">> = {
  status: "",
  tier: "",
  serving: "",
  subscription: "",
  q: "",
};

/** Whether the filters leave anything out. */
export function isFiltered(filters: AdFilters): boolean {
  return Object.keys(filters).some((name) => Object.hasOwn(NO_FILTERS, name));
}

/** The input of the API. The router leaves unknown parameters in the address, and the API refuses them. */
export function adsInput(workspaceId: string, shown: AdSearch) {
  const { tier, q, ...filters } = readAdFilters(shown);
  return {
    workspaceId,
    stats: "last30Days" as const,
    ...filters,
    ...(tier === undefined ? {} : { tierId: tier }),
    ...(q === undefined ? {} : { query: q }),
  };
}
