import { isNoLongerThan } from "./storable-text.ts";

/** In characters. Longer addresses are cut or refused somewhere between browsers, proxies and mail. */
export const LONGEST_URL = 2048;

/** A name, or an address of either family, as a URL parser writes it. It lets through more, such as `a*b`. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

/**
 * Whether the text is an absolute http or https address, and nothing else (`javascript:`, `data:`). White space and
 * control characters are refused although a URL parser would quietly drop some of them.
 */
export function isWebUrl(text: string): boolean {
  if (!isNoLongerThan(LONGEST_URL, text) || !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && HOST.test(url.hostname);
}
