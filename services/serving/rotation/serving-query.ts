import type { z } from "zod";
import { queryParametersOf, readQuery } from "#libs/contract/query-form.ts";
import { servingQuery } from "#libs/contract/serving.ts";
import { isId } from "#libs/domain/ids.ts";
import { MOST_ADS } from "#libs/domain/serving-limits.ts";
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
  /** Whether each ad comes with a proof that it was handed out. */
  readonly withProof: boolean;
}

const PARAMETERS = queryParametersOf(servingQuery, "");

/** A query string split at `&` and `=`; a parameter given twice is an array. */
export type RawQuery = Readonly<Record<string, unknown>>;

/**
 * Parses the query of a request for ads. Unknown parameters are ignored. Malformed ids match nothing and are dropped, so
 * that no text that a caller makes up gets into the key. An empty `tierId` matches no tier: a slot meant for certain tiers
 * must not show other ads because a variable was empty.
 * Throws `INPUT_VALIDATION_FAILED`.
 */
export function parseServingQuery(raw: RawQuery): ServingQuery {
  const { values, problems } = readQuery(raw, PARAMETERS);
  if (Object.keys(problems).length > 0) throw invalidInput("INVALID_INPUT", { fieldErrors: problems });
  const parsed = servingQuery.safeParse(values);
  if (!parsed.success) throw invalidInput("INVALID_INPUT", mapZodError(parsed.error));
  const { tierId, excludeIds: excluded, weight, count, proof } = parsed.data;

  const filter = normalizeFilter(tierId, weight);
  const excludeIds = new Set(excluded?.filter((id) => isId("ad", id)));
  return {
    filter,
    excludeIds,
    count: Math.min(MOST_ADS, Math.max(1, Number(count ?? 1))),
    withProof: proof !== undefined,
  };
}

type Parsed = z.output<typeof servingQuery>;

function normalizeFilter(tierId: Parsed["tierId"], weight: Parsed["weight"]): ServingFilter {
  const tierIds = tierId === undefined ? null : new Set(tierId.filter((id) => isId("tier", id)));
  // Adding 0 makes -0 a 0, which is written the same way.
  const weightGte = weight?.gte === undefined ? null : weight.gte + 0;
  const weightLt = weight?.lt === undefined ? null : weight.lt + 0;
  const tiers = tierIds === null ? "*" : `=${sortedText(tierIds)}`;
  return { tierIds, weightGte, weightLt, key: `${weightGte ?? ""}\n${weightLt ?? ""}\n${tiers}` };
}

function sortedText(ids: ReadonlySet<string>): string {
  return [...ids].sort().join(",");
}
