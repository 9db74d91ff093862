const MAX_AGE = 5;
const SHARED_MAX_AGE = 10;
const STALE_WHILE_REVALIDATE = 30;
const LONGEST = SHARED_MAX_AGE + STALE_WHILE_REVALIDATE;

const BY_SECONDS_LEFT = Array.from({ length: LONGEST + 1 }, (_, left) => {
  const shared = Math.min(SHARED_MAX_AGE, left);
  const stale = Math.min(STALE_WHILE_REVALIDATE, left - shared);
  return `public, max-age=${Math.min(MAX_AGE, left)}, s-maxage=${shared}, stale-while-revalidate=${stale}`;
});

/**
 * `Cache-Control` of an answer that holds for `milliseconds` more: no cache may show it longer than that, the time in
 * which it may be shown stale included.
 */
export function cacheControl(milliseconds: number): string {
  const left = Math.max(0, Math.min(LONGEST, Math.floor(milliseconds / 1000)));
  return BY_SECONDS_LEFT[left] ?? "no-store";
}
