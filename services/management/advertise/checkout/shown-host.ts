import { isWebUrl } from "#libs/domain/web-url.ts";

/** The site of an address as people read it, `example.com`; null for what is no address of the web. */
export function shownHost(address: string): string | null {
  const trimmed = address.trim();
  return isWebUrl(trimmed) ? (URL.parse(trimmed)?.host.replace(/^www\./, "") ?? null) : null;
}
