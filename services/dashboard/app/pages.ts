import { lazyRouteComponent } from "@tanstack/react-router";
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

/** The first page comes first, with all that it loads. */
const PRELOAD_AFTER_MS = 4_000;

/**
 * Loads all pages while the browser has nothing else to do, so that they open at once, also without a connection. Returns what stops
 * it before it has begun.
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
  const timer = setTimeout(schedule, PRELOAD_AFTER_MS);
  return () => clearTimeout(timer);
}
