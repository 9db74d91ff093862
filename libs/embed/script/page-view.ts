/**
 * What tells one page view from the next while the document stays: the path, and a route that is kept after the `#`. Not
 * the query, which changes with every letter typed into some search boxes.
 */
export function routeOf({ pathname, hash }: Pick<Location, "pathname" | "hash">): string {
  return pathname + (/^#[/!]/.test(hash) ? hash : "");
}
