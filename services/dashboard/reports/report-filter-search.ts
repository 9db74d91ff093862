import {
  DIMENSION_NAMES,
  LONGEST_FILTER_VALUE,
  MOST_FILTER_VALUES,
  REPORT_DIMENSIONS,
  type ReportDimension,
} from "#libs/domain/report-dimensions.ts";

/** How values narrow a report. */
export type FilterTest = "is" | "isNot" | "contains";
/** Where an address has the values of a filter. */
export type FilterKey = ReportDimension | `${ReportDimension}.not` | "path.has";

export interface FilterKind {
  readonly dimension: ReportDimension;
  readonly test: FilterTest;
  readonly key: FilterKey;
}

/** What a report can be narrowed by. */
export const FILTER_KINDS: readonly FilterKind[] = DIMENSION_NAMES.flatMap((dimension): FilterKind[] => [
  { dimension, test: "is", key: dimension },
  { dimension, test: "isNot", key: `${dimension}.not` },
  ...(dimension === "path" ? [{ dimension, test: "contains", key: "path.has" } as const] : []),
]);

/** Values that a report is narrowed by, joined by commas. */
export type Filters = { readonly [Key in FilterKey]?: string };
type GivenFilters = Readonly<Partial<Record<FilterKey, unknown>>>;

/** Reads filters from an address, which anybody may have written. Invalid values are left out. */
export function readFilters(given: GivenFilters): Filters {
  return Object.fromEntries(
    FILTER_KINDS.flatMap((kind) => {
      const values = joinValues(valuesOf(kind, given));
      return values === "" ? [] : [[kind.key, values]];
    }),
  );
}

/** The values of a filter. */
export function valuesOf({ dimension, key }: FilterKind, given: GivenFilters): string[] {
  const values = splitValues(given[key]).filter((value) => isValue(dimension, value));
  return [...new Set(values)].slice(0, MOST_FILTER_VALUES);
}

const NAMED = /^\w{1,60}$/;

/** Whether a dimension can have the value. */
export function isValue(dimension: ReportDimension, value: string): boolean {
  const about = REPORT_DIMENSIONS[dimension];
  if (about.form === "text") return value !== "" && value.length <= LONGEST_FILTER_VALUE;
  return about.form === "named" ? NAMED.test(value) : about.values.some((one) => one === value);
}

/** Values as one text, joined by commas; a comma in a value is `%2C`. */
export function joinValues(values: readonly string[]): string {
  return values.map((value) => value.replace(/[%,]/g, encodeURIComponent)).join(",");
}

/** An address may hold anything, and `?placement=5` arrives as a number. */
function splitValues(given: unknown): string[] {
  if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean") return [];
  return String(given)
    .split(",")
    .map((value) => value.replace(/%2C/gi, ",").replace(/%25/g, "%"));
}

/** Filters as the API takes them. */
export type FilterInput = Partial<Record<ReportDimension, Partial<Record<FilterTest, string[]>>>>;

export function filterInput(filters: Filters): FilterInput {
  const input: FilterInput = {};
  for (const kind of FILTER_KINDS) {
    const values = valuesOf(kind, filters);
    if (values.length > 0) input[kind.dimension] = { ...input[kind.dimension], [kind.test]: values };
  }
  return input;
}
