/** The parameters by which an advertiser's own statistics recognize visits. */
export const UTM_PARAMETERS = ["source", "medium", "campaign"] as const;
export type UtmParameter = (typeof UTM_PARAMETERS)[number];

/** The values that are added; null for a parameter that is not. */
export type Utm = Readonly<Record<UtmParameter, string | null>>;

/** What the placeholders `{ad}` and `{tier}` in a value stand for. */
export interface UtmNames {
  readonly ad: string;
  readonly tier: string;
}

/** Whether anything is to be added to addresses. */
export function hasUtm(utm: Utm): boolean {
  return UTM_PARAMETERS.some((parameter) => utm[parameter] !== null);
}

/**
 * The web address as an ASCII URL, with the parameters that it does not have already: the advertiser's own are better. The rest
 * of the address stays as it is, the order and the encoding of its query included.
 */
export function withUtm(address: string, utm: Utm, names: UtmNames): string {
  const url = new URL(address);
  const known = url.searchParams;
  const added = UTM_PARAMETERS.flatMap((parameter) => {
    const value = utm[parameter];
    const name = `utm_${parameter}`;
    return value === null || known.has(name) ? [] : [`${name}=${encodeURIComponent(fillIn(value, names))}`];
  });
  if (added.length === 0) return url.href;
  const query = [url.search.slice(1), ...added].filter((part) => part !== "").join("&");
  // Set as text: appending to `searchParams` would re-encode the advertiser's own parameters.
  url.search = query;
  return url.href;
}

/** In characters: a value may repeat its placeholders, and each served ad carries the result. */
const LONGEST_FILLED = 200;

function fillIn(value: string, { ad, tier }: UtmNames): string {
  const filled = value.replaceAll(/\{(ad|tier)\}/g, (placeholder) => (placeholder === "{ad}" ? ad : tier));
  return filled.length <= LONGEST_FILLED ? filled : Array.from(filled).slice(0, LONGEST_FILLED).join("");
}
