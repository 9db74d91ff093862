import { networkOf } from "#libs/guarded-fetch/tests/network.ts";
import type { Site } from "#libs/guarded-fetch/tests/sites.ts";
import { createFavicons, type FaviconsOptions } from "../favicons.ts";

/** Looks for the icon of a page as production does, on the internet that is these sites. */
export async function findAt(page: URL, sites: readonly Site[], options: Partial<FaviconsOptions> = {}) {
  const favicons = createFavicons({
    contact: new URL("https://ads.example.com"),
    network: networkOf(sites),
    ...options,
  });
  return await favicons.find(page, new AbortController().signal);
}

/** A page whose head is this. */
export function aPage(head: string): string {
  return `<!doctype html><html><head><title>Coffee</title>${head}</head><body><p>Coffee</body></html>`;
}
