import type { z } from "zod";
import type { adsContract } from "#libs/contract/ads.ts";
import { AD_STATUSES, type AdStatus } from "#libs/domain/review.ts";
import { isNoLongerThan, isStorable } from "#libs/domain/storable-text.ts";

type AdsInput = z.output<(typeof adsContract.list)["~orpc"]["inputSchema"] & object>;

/** What a list can be ordered by; the first is the usual one. */
export const AD_SORTS = ["newest", "oldest", "name", "tier"] as const satisfies readonly AdsInput["sort"][];
export type AdSort = (typeof AD_SORTS)[number];

export const SERVING_CHOICES = ["yes", "no"] as const satisfies readonly AdsInput["serving"][];
export type ServingChoice = (typeof SERVING_CHOICES)[number];

/** Which ads a list shows. Null and blank stand for all. */
export interface AdFilters {
  readonly status: AdStatus | null;
  readonly tierId: string | null;
  readonly serving: ServingChoice | null;
  /** Part of a name, an address or an advertiser, in upper or lower case. */
  readonly text: string;
  readonly sort: AdSort;
  /** From 1. */
  readonly page: number;
}

/** The filters as the address carries them: only what differs from the usual. */
export interface AdsSearch {
  readonly status?: string;
  readonly tier?: string;
  readonly serving?: string;
  readonly q?: string;
  readonly sort?: string;
  readonly page?: number;
}

const LONGEST_SEARCH = 200;

/** Reads the search of an address, which anybody may have written: what makes no sense is as if it were not there. */
export function readAdFilters(search: Readonly<Record<string, unknown>>): AdFilters {
  return {
    status: oneOf(AD_STATUSES, search.status),
    tierId: readText(search.tier) || null,
    serving: oneOf(SERVING_CHOICES, search.serving),
    text: readText(search.q),
    sort: oneOf(AD_SORTS, search.sort) ?? "newest",
    page: readPage(search.page),
  };
}

/** The other way round, so that the plain list has a plain address. */
export function writeAdFilters(filters: AdFilters): AdsSearch {
  const text = filters.text.trim();
  return {
    ...(filters.status === null ? {} : { status: filters.status }),
    ...(filters.tierId === null ? {} : { tier: filters.tierId }),
    ...(filters.serving === null ? {} : { serving: filters.serving }),
    ...(text === "" ? {} : { q: text }),
    ...(filters.sort === "newest" ? {} : { sort: filters.sort }),
    ...(filters.page === 1 ? {} : { page: filters.page }),
  };
}

/** Filters after one of them was changed: another choice is looked at from its first page. */
export function changeAdFilters(filters: AdFilters, change: Partial<AdFilters>): AdFilters {
  return { ...filters, page: 1, ...change };
}

/** Whether anything is left out by them. */
export function isFiltered({ status, tierId, serving, text }: AdFilters): boolean {
  return status !== null || tierId !== null || serving !== null || text.trim() !== "";
}

/** What the interface is asked for, with nothing said of what is not filtered by. */
export function adsInput(workspaceId: string, filters: AdFilters) {
  const { status, tierId, serving, sort, page } = filters;
  const text = filters.text.trim();
  return {
    workspaceId,
    ...(status === null ? {} : { status }),
    ...(tierId === null ? {} : { tierId }),
    ...(serving === null ? {} : { serving }),
    ...(text === "" ? {} : { query: text }),
    sort,
    page,
  };
}

/** A page number out of an address, 1 for anything else. */
export function readPage(given: unknown): number {
  const page = typeof given === "number" || typeof given === "string" ? Number(given) : 1;
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

/** A text out of an address, where `?q=2024` arrives as a number. One that no name can contain is none. */
export function readText(given: unknown): string {
  const isText = typeof given === "string" || typeof given === "number" || typeof given === "boolean";
  const text = isText ? String(given).trim() : "";
  return isNoLongerThan(LONGEST_SEARCH, text) && isStorable(text) ? text : "";
}

/** The choice that the value names, null for anything else. */
export function oneOf<T extends string>(choices: readonly T[], given: unknown): T | null {
  return choices.find((choice) => choice === given) ?? null;
}
