import { isWebUrl } from "#libs/domain/web-url.ts";

/** What somebody types for a site, with the scheme that most leave out; null for what is no address. */
export function readWebsite(typed: string): string | null {
  const text = typed.trim();
  const address = text.includes("//") ? text : `https://${text}`;
  return isWebUrl(address) ? address : null;
}
