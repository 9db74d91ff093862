const MEGABYTE = 1024 * 1024;

/** How large a file is, never less than it is: `1.3 MB`. */
export function sizeWords(bytes: number): string {
  return `${Math.ceil((bytes / MEGABYTE) * 10) / 10} MB`;
}

/** How large a file may be, never more than it may: `5 MB`. */
export function roomWords(bytes: number): string {
  return `${Math.floor((bytes / MEGABYTE) * 10) / 10} MB`;
}
