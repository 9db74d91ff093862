import { type Days, readDays } from "../shell/days.tsx";
import { type AdsSearch, readAdFilters, writeAdFilters } from "./ad-filters.ts";

/** What the address of the ads holds, without what makes no sense. */
export function readAdsSearch(search: Record<string, unknown>): AdsSearch {
  return writeAdFilters(readAdFilters(search));
}

/** What the address of one ad holds. */
export interface AdSearch {
  readonly days?: Days;
}

export function readAdSearch({ days }: Record<string, unknown>): AdSearch {
  return days === undefined ? {} : { days: readDays(days) };
}
