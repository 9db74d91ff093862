import type { z } from "zod";
import { servingQuery } from "#libs/contract/serving.ts";
import { isId } from "#libs/domain/ids.ts";
import { MOST_ADS, MOST_EXCLUDED } from "#libs/domain/serving-limits.ts";
import { invalidInput, mapZodError } from "#libs/http/index.ts";

/** The ads that a slot accepts. Null is no restriction. */
export interface ServingFilter {
  readonly tierIds: ReadonlySet<string> | null;
  readonly weightGte: number | null;
  readonly weightLt: number | null;
  /** Equal for equal filters, however they were written. */
  readonly key: string;
}

/** A request for ads, normalized. */
export interface ServingQuery {
  readonly filter: ServingFilter;
  readonly excludeIds: ReadonlySet<string>;
  /** 1 to 50. */
  readonly count: number;
}

/** A query string split at `&` and `=`; a parameter given twice is an array. */
export type RawQuery = Readonly<Record<string, unknown>>;

/**
 * Parses the query of a request for ads. Unknown parameters are ignored. Malformed ids match nothing and are dropped, so
 * that no text that a caller makes up gets into the key. An empty `tierId` matches no tier: a slot meant for certain tiers
 * must not show other ads because a variable was empty.
 * Throws `INPUT_VALIDATION_FAILED`.
 */
export function parseServingQuery(raw: RawQuery): ServingQuery {
  const parsed = servingQuery.safeParse(unfold(raw));
  if (!parsed.success) throw invalidInput("INVALID_INPUT", mapZodError(parsed.error));
  const { tierId, excludeIds: excluded, weight, count } = parsed.data;

  const filter = normalizeFilter(tierId, weight);
  const givenIds = splitIds(excluded ?? []);
  if (givenIds.size > MOST_EXCLUDED) {
    throw invalidInput("INVALID_INPUT", {
      fieldErrors: { excludeIds: [`Must not be more than ${MOST_EXCLUDED} ids.`] },
    });
  }
  const excludeIds = new Set([...givenIds].filter((id) => isId("ad", id)));
  return { filter, excludeIds, count: Math.min(MOST_ADS, Math.max(1, Number(count ?? 1))) };
}

/** From flat parameters to the contract's shape. Absent ones stay absent. */
function unfold(raw: RawQuery): Record<string, unknown> {
  const band = present({ gte: raw["weight[gte]"], lt: raw["weight[lt]"] });
  const excludeIds = [raw.excludeIds, raw["excludeIds[]"]].flat().filter((value) => value !== undefined);
  return present({
    weight: raw.weight ?? (Object.keys(band).length > 0 ? band : undefined),
    tierId: raw.tierId,
    excludeIds: excludeIds.length > 0 ? excludeIds : undefined,
    count: raw.count,
  });
}

function present(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

type Parsed = z.output<typeof servingQuery>;

function normalizeFilter(tierId: Parsed["tierId"], weight: Parsed["weight"]): ServingFilter {
  const tierIds =
    tierId === undefined ? null : new Set([...splitIds(tierId)].filter((id) => isId("tier", id)));
  // Adding 0 makes -0 a 0, which is written the same way.
  const weightGte = weight?.gte === undefined ? null : weight.gte + 0;
  const weightLt = weight?.lt === undefined ? null : weight.lt + 0;
  const tiers = tierIds === null ? "*" : `=${sortedText(tierIds)}`;
  return { tierIds, weightGte, weightLt, key: `${weightGte ?? ""}\n${weightLt ?? ""}\n${tiers}` };
}

function splitIds(given: string | readonly string[]): Set<string> {
  const ids = [given]
    .flat()
    .flatMap((text) => text.split(","))
    .map((text) => text.trim());
  return new Set(ids.filter((id) => id !== ""));
}

function sortedText(ids: ReadonlySet<string>): string {
  return [...ids].sort().join(",");
}
