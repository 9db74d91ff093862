import {
  FetchError,
  type FetchOptions,
  fetchBounded,
  isFailing,
  isUsable,
  type Network,
  publicInternet,
  readWhole,
} from "#libs/guarded-fetch/index.ts";
import { type DeclaredIcon, readDeclaredIcons } from "./declared-icons.ts";
import { type Icon, iconTypeOf } from "./icon-type.ts";
import { rankIcons } from "./rank-icons.ts";

/** `none`: the site has no usable icon, or may not be fetched. `unreachable`: another attempt may succeed. */
export type FaviconFinding =
  | { readonly kind: "found"; readonly icon: Icon }
  | { readonly kind: "none"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string };

export interface Favicons {
  /** Looks for the icon of a page's site. Throws only the reason of `signal`, once that aborts. */
  find(page: URL, signal: AbortSignal): Promise<FaviconFinding>;
}

export interface FaviconsOptions {
  /** Where the operator of a site finds out who is asking; in the user agent. */
  readonly contact: URL;
  /** For tests, whose servers are on this machine. Default: the public internet, and nothing configures that. */
  readonly network?: Network;
  /** For one request, redirects apart, in milliseconds. Default 5,000. */
  readonly requestMs?: number;
  /** For all that is asked of a site, in milliseconds. Default 15,000. */
  readonly totalMs?: number;
}

const PAGE_BYTES = 128 * 1024;
/** Enough for bitmaps of 16, 32, 48 and 64 pixels in one file. Anybody who submits an ad makes us keep one. */
const ICON_BYTES = 32 * 1024;
/** How many of the icons that a page declares are tried. */
const MOST_TRIES = 4;
const PAGE_TYPES: readonly string[] = ["", "text/html", "application/xhtml+xml"];

/** Finds icons as browsers do: the page's own, the best first, then `/favicon.ico`; judged by their bytes. */
export function createFavicons(options: FaviconsOptions): Favicons {
  const { contact, network = publicInternet, requestMs = 5_000, totalMs = 15_000 } = options;
  const userAgent = `Mozilla/5.0 (compatible; PlacardFavicons/1.0; +${contact.origin})`;

  return {
    async find(page, signal) {
      const late = AbortSignal.timeout(totalMs);
      const request = { network, userAgent, requestMs, signal: AbortSignal.any([signal, late]) };
      try {
        return await search(page, request);
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) return { kind: "unreachable", reason: `${page.host} took over ${totalMs} ms` };
        if (!(error instanceof FetchError)) throw error;
        return { kind: error.canRetry ? "unreachable" : "none", reason: error.message };
      }
    },
  };
}

type Asking = Omit<FetchOptions, "accept">;

async function search(page: URL, asking: Asking): Promise<FaviconFinding> {
  const { site, icons, isFailing } = await readPage(page, asking);
  const addresses = [
    ...new Set([
      ...rankIcons(icons)
        .slice(0, MOST_TRIES)
        .map(({ url }) => withoutFragment(url).href),
      new URL("/favicon.ico", site).href,
    ]),
  ];
  let mayChange = isFailing;
  for (const address of addresses) {
    const icon = await fetchIcon(new URL(address), asking);
    if (icon === "failing") mayChange = true;
    else if (icon !== null) return { kind: "found", icon };
  }
  return mayChange
    ? { kind: "unreachable", reason: `${site.host} failed to answer` }
    : { kind: "none", reason: `${site.host} has no icon that can be used` };
}

/** What the page declares, where it is after redirects, and whether the server failed for now. */
async function readPage(page: URL, asking: Asking) {
  const accept = "text/html,application/xhtml+xml";
  return await fetchBounded(withoutFragment(page), { ...asking, accept }, async (answer, body) => {
    const { url, contentType } = answer;
    const icons: DeclaredIcon[] =
      isUsable(answer) && PAGE_TYPES.includes(contentType)
        ? await readDeclaredIcons(body, { url, maxBytes: PAGE_BYTES })
        : [];
    return { site: url, icons, isFailing: isFailing(answer) };
  });
}

/** The icon at an address; null where there is none that can be used, `failing` where there may be one another time. */
async function fetchIcon(address: URL, asking: Asking): Promise<Icon | null | "failing"> {
  const accept = "image/png,image/webp,image/x-icon,image/jpeg,image/gif,image/*;q=0.5";
  try {
    return await fetchBounded(address, { ...asking, accept }, async (answer, body) => {
      if (!isUsable(answer)) return isFailing(answer) ? "failing" : null;
      const bytes = await readWhole(body, ICON_BYTES);
      const contentType = bytes === null ? null : iconTypeOf(bytes);
      return bytes === null || contentType === null ? null : { contentType, bytes };
    });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return error.canRetry ? "failing" : null;
  }
}

function withoutFragment(address: URL): URL {
  const url = new URL(address);
  url.hash = "";
  return url;
}
