import { isWebUrl } from "#libs/domain/web-url.ts";

/** The one guard of addresses that somebody has given: the address where it is one of the web, else null. */
export function webAddress(url: string | null): string | null {
  return url !== null && isWebUrl(url) ? url : null;
}

/** Whether a page of `origin` may show the image of an address: the page's policy lets in its own and those by https. */
export function mayShowImage(url: string, origin: string): boolean {
  if (webAddress(url) === null) return false;
  const image = new URL(url);
  return image.protocol === "https:" || image.origin === origin;
}

/** The host that an address of the web leads to: what visitors look at; any other text as it is. */
export function siteName(url: string): string {
  return webAddress(url) === null ? url : new URL(url).host;
}

/** An address without what is the same for all of them, for people to read. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}
