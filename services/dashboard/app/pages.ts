import { lazyRouteComponent } from "@tanstack/react-router";
import { queryClient } from "../api/query-client.ts";
import { AwayError } from "../components/error-pages.tsx";

type Load = () => Promise<unknown>;

/** What is loaded when it is first shown. */
const loaders: Load[] = [() => import("../components/daily-chart.tsx")];

/**
 * A page that loads when it is first shown. Without a connection it shows that in its place: the router would reload the whole
 * page, which is right after a release and ends on the browser's own error page while the server is away.
 */
export function page<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  loaders.push(load);
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      throw (await isServerAway()) ? new AwayError({ cause: error }) : error;
    }
  }, name);
}

async function isServerAway(): Promise<boolean> {
  return await fetch("/", { method: "HEAD", cache: "no-store" }).then(
    () => false,
    () => true,
  );
}

/** The first page comes first, with all that it loads: for this long nothing else was on its way. */
const QUIET_MS = 4_000;
const LOOK_EVERY_MS = 500;

/**
 * Loads all pages while the browser has nothing else to do, so that they open at once, also without a connection. Begins once
 * what the first page shows has come. Returns what stops it before it has begun.
 */
export function preloadPages(): () => void {
  const next = () => {
    const load = loaders.shift();
    if (load === undefined) return;
    // Whoever opens a page that failed is told then.
    void load()
      .catch(() => null)
      .then(schedule);
  };
  const schedule = () => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(next, { timeout: 5_000 });
    else setTimeout(next, 500);
  };
  let quietMs = 0;
  const timer = setInterval(() => {
    quietMs = queryClient.isFetching() === 0 ? quietMs + LOOK_EVERY_MS : 0;
    if (quietMs < QUIET_MS) return;
    clearInterval(timer);
    schedule();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
