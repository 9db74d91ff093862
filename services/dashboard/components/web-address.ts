import { isWebUrl } from "#libs/domain/web-url.ts";

/** The only check of addresses that people enter: the address if it is http or https, else null. */
export function webAddress(url: string | null): string | null {
  return url !== null && isWebUrl(url) ? url : null;
}

/** Whether the content security policy of a page at `origin` allows the image: its own, or https. */
export function mayShowImage(url: string, origin: string): boolean {
  if (webAddress(url) === null) return false;
  const image = new URL(url);
  return image.protocol === "https:" || image.origin === origin;
}

/** An address without its scheme and final slash, for people to read. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}

/** A typed website with its scheme, which most people leave out; null if it is not an address. */
export function readWebsite(typed: string): string | null {
  const text = typed.trim();
  const address = text.includes("//") ? text : `https://${text}`;
  return isWebUrl(address) ? address : null;
}
