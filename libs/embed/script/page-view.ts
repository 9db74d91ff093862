/** Identifies a page view while the document stays: path and route after `#`. Not the query, which changes while typing. */
export function routeOf({ pathname, hash }: Pick<Location, "pathname" | "hash">): string {
  return pathname + (/^#[/!]/.test(hash) ? hash : "");
}
