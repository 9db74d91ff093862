/** Longer addresses are cut or refused somewhere between browsers, proxies and mail. */
export const LONGEST_URL = 2048;

/**
 * Whether the text is an absolute http or https address, and nothing else (`javascript:`, `data:`). White space and
 * control characters are refused although a URL parser would quietly drop some of them.
 */
export function isWebUrl(text: string): boolean {
  if (text.length > LONGEST_URL || !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.hostname !== "";
}
