import type { BrowserContext } from "playwright-core";

/** A request that the page itself gave up, by going elsewhere or by an AbortController. */
const GIVEN_UP = "net::ERR_ABORTED";
const OF_THE_PAGE_ITSELF = /^(?:data|blob|about|chrome-error):/;

/** Gathers what goes wrong in the context's pages, a line each, from now on. */
export async function watchProblems(
  context: BrowserContext,
  origins: readonly (string | RegExp)[],
): Promise<string[]> {
  const problems: string[] = [];

  context.on("console", (message) => {
    const type = message.type();
    if (type !== "error" && type !== "warning") return;
    problems.push(`console ${type}: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (webError) => {
    const error = webError.error();
    problems.push(`thrown: ${error.stack ?? error.message}`);
  });
  context.on("request", (request) => {
    const url = request.url();
    if (OF_THE_PAGE_ITSELF.test(url) || isFrom(origins, new URL(url).origin)) return;
    problems.push(`third party: ${request.method()} ${url}`);
  });
  context.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "unknown";
    if (why !== GIVEN_UP) problems.push(`failed: ${request.method()} ${request.url()}: ${why}`);
  });
  // Chromium writes most violations to the console, but not those of a policy that only reports.
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      console.error(`CSP: ${effectiveDirective} does not allow ${blockedURI}`);
    });
  });
  return problems;
}

function isFrom(origins: readonly (string | RegExp)[], origin: string): boolean {
  return origins.some((one) => (typeof one === "string" ? one === origin : one.test(origin)));
}
