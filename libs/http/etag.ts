/**
 * Whether a tag in an `If-None-Match` header matches `etag` (RFC 9110, 13.1.2: weak comparison, a list, `*`). No tag in
 * a header over 4,096 characters does.
 */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true;
  if (ifNoneMatch.length > 4096) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueTagOf(etag);
  return ifNoneMatch.split(",").some((tag) => opaqueTagOf(tag.trim()) === opaque);
}

function opaqueTagOf(tag: string): string {
  return tag.replace(/^W\//, "");
}
