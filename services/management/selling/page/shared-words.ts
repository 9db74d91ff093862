// Words that the server's pages and the script in the browser share.
import { isWebUrl } from "#libs/domain/web-url.ts";

export const IMAGE_KINDS = "PNG, JPEG, WebP, GIF or AVIF";

const MEGABYTE = 1024 * 1024;

/** The size of a file, rounded up: `1.3 MB`. */
export function sizeWords(bytes: number): string {
  return `${Math.ceil((bytes / MEGABYTE) * 10) / 10} MB`;
}

/** The largest size that a file may have, rounded down: `5 MB`. */
export function limitWords(bytes: number): string {
  return `${Math.floor((bytes / MEGABYTE) * 10) / 10} MB`;
}

/** The host of a web address as people read it, `example.com`; null for anything else. */
export function shownHost(address: string): string | null {
  const trimmed = address.trim();
  return isWebUrl(trimmed) ? (URL.parse(trimmed)?.host.replace(/^www\./, "") ?? null) : null;
}
