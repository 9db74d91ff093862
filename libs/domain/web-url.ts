import { isNoLongerThan } from "./storable-text.ts";

/** In characters. Some browsers, proxies and mail servers cut or refuse longer addresses. */
export const LONGEST_URL = 2048;

/** A name, or an address of either family, as a URL parser writes it. It lets through more, such as `a*b`. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

/**
 * Whether the text is an absolute http or https address, and nothing else (`javascript:`, `data:`). White space and
 * control characters are refused although a URL parser would quietly drop some of them.
 */
export function isWebUrl(text: string): boolean {
  if (!isNoLongerThan(LONGEST_URL, text) || !/^https?:\/\/[^\s\p{Cc}/\\?#][^\s\p{Cc}]*$/iu.test(text))
    return false;
  const url = URL.parse(text);
  return url !== null && HOST.test(url.hostname);
}

/** What people type without a scheme: a host with a dot, then perhaps a port, a path or a query. */
const WITHOUT_SCHEME = /^[^\s/:?#@.]+(?:\.[^\s/:?#@.]+)+\.?(?::\d{1,5})?(?:[/?#]\S*)?$/;

/** A typed web address with the scheme that most people leave out; any other text as it is, trimmed. */
export function completeUrl(typed: string): string {
  const text = typed.trim();
  return WITHOUT_SCHEME.test(text) ? `https://${text}` : text;
}

/** Whether an address carries no user name and no password, which no link that is shown should have. */
export function hasNoUserInfo(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === "" && url.password === "");
}

/** Addresses and names of the machine itself and of private networks, as a URL parser writes them. */
const PRIVATE_HOST =
  /^(?:(?:.+\.)?localhost\.?|(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+|\[(?:::1?|::ffff:.+|f[cd].*|fe[89ab].*)\])$/;

/** Whether a visitor of any site could reach the address, as far as its host tells. */
export function isOfPublicHost(text: string): boolean {
  return !PRIVATE_HOST.test(URL.parse(text)?.hostname ?? "");
}

/** The site of an ad or a workspace, and its icon. */
export interface ShownFavicon {
  readonly website_url: string | null;
  readonly favicon_url: string | null;
}

/** The icon that stays while the icon of another address is looked for: only one of the same origin. */
export function keptFavicon(before: ShownFavicon, websiteUrl: string | null): string | null {
  const [was, is] = [before.website_url, websiteUrl].map((text) => URL.parse(text ?? "")?.origin);
  return was !== undefined && was === is ? before.favicon_url : null;
}
