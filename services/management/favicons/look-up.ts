import type { Icon } from "#libs/favicon/index.ts";
import type { Services } from "../services.ts";
import { countPages, findLookup, recordLookup } from "./queries.ts";

/** What a look at a site has come to, now or some time before. */
export type LookUp =
  | { readonly kind: "found"; readonly icon: Icon }
  | { readonly kind: "none" | "unreachable" };

const MINUTE_MS = 60_000;

/** How long an outcome holds before the page is asked again, by any workspace. */
export const HOLDS_MS = {
  found: 24 * 60 * MINUTE_MS,
  none: 24 * 60 * MINUTE_MS,
  unreachable: 30 * MINUTE_MS,
};

/** Of one host, in a day; who names more of them gets the icon of the host's root. */
export const MOST_PAGES = 5;

const LONGEST_PAGE = 1_024;

/**
 * The icon of the site that an address belongs to. No page is asked more than once a day, and no host for more than a few
 * pages, whoever submits them. Throws the reason of `signal` once that aborts.
 */
export async function lookUpFavicon(
  services: Services,
  websiteUrl: URL,
  signal: AbortSignal,
): Promise<LookUp> {
  const { db, favicons, logger, now } = services;
  const recently = { now: now(), holdsMs: HOLDS_MS };
  let page = pageOf(websiteUrl);
  const known = await findLookup(db, page.href, recently);
  if (known !== null) return known;
  if ((await countPages(db, page.hostname, recently)) >= MOST_PAGES) {
    logger.info(
      { host: page.hostname },
      "a site's root stands for another page of it: it was asked enough today",
    );
    page = new URL("/", page);
    const ofRoot = await findLookup(db, page.href, recently);
    if (ofRoot !== null) return ofRoot;
  }

  const finding = await favicons.find(page, signal);
  if (finding.kind !== "found") {
    logger.debug({ host: page.hostname, reason: finding.reason }, "no icon of a site was found");
  }
  await recordLookup(db, page, finding, now());
  return finding;
}

/** What follows the path may be one visitor's or one campaign's own: it is not sent, so that nothing is counted there. */
function pageOf(websiteUrl: URL): URL {
  const page = new URL(websiteUrl);
  page.search = "";
  page.hash = "";
  return page.href.length > LONGEST_PAGE ? new URL("/", page) : page;
}
