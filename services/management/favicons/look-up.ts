import type { Services } from "../services.ts";
import { countPages, findLookup, type LookUp, recordLookup } from "./queries.ts";

/** Of one host, in a day; whoever names more of them gets the icon of the host's root. */
const MOST_PAGES = 5;

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
  let page = pageOf(websiteUrl);
  const known = await findLookup(db, page, now());
  if (known !== null) return known;
  if ((await countPages(db, page.hostname, now())) >= MOST_PAGES) {
    logger.info({ host: page.hostname }, "a site was asked enough today: its root stands for another page");
    page = new URL("/", page);
    const ofRoot = await findLookup(db, page, now());
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
