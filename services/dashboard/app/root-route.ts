import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";

/** What every route is given. */
export interface RouterContext {
  readonly queryClient: QueryClient;
}

/** Where a route is: its path below another route. */
export function at<Parent, const Path extends string>(parent: Parent, path: Path) {
  return { getParentRoute: () => parent, path };
}

type Given = Readonly<Record<string, unknown>>;

/** Reads an address by `read` alone: the router would keep everything that `read` leaves out as it was given. */
export function only<Search extends object>(read: (given: Given) => Search) {
  return (given: Given): Search => ({
    ...Object.fromEntries(Object.keys(given).map((key) => [key, undefined])),
    ...read(given),
  });
}

/** The route above all others. */
export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });
