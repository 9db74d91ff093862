import type { IncomingHttpHeaders } from "node:http";

/** Below these are programs' addresses and files, whoever asks. */
const NOT_PAGES = ["v1", "api", "assets", "uploads", "sandbox", "advertise"];

/**
 * Whether a browser goes to that address as to a page, rather than a script, a picture or a program asking for what is
 * there. Browsers say so; of those that do not, whoever wants HTML is taken for one.
 */
export function isPageNavigation(url: string, headers: IncomingHttpHeaders): boolean {
  const [path = ""] = url.split("?", 1);
  const [, first = ""] = path.split("/");
  if (NOT_PAGES.includes(first) || path.slice(path.lastIndexOf("/")).includes(".")) return false;
  const mode = headers["sec-fetch-mode"];
  return mode === undefined ? (headers.accept ?? "").includes("text/html") : mode === "navigate";
}
