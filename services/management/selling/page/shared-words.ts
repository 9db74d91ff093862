// Words that the server's pages and the script in the browser share.

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
