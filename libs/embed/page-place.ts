/** The query that tells with an event where it happened: the placement, the page without its query, and the host that led to it. */
export function placeOf(placement = ""): string {
  const page = location.origin + location.pathname;
  const referrer = document.referrer.split("/")[2] ?? "";
  return `${new URLSearchParams({ placement, page, referrer })}`;
}
