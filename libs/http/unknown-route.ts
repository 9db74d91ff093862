import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import type { HttpError } from "./envelope.ts";
import { methodNotAllowed, notFound } from "./http-error.ts";

/** A path is known by these. OPTIONS is CORS's affair: a catch-all preflight route must not make every path a known one. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly HTTPMethods[];

/** What is wrong with a request that no route takes. */
export function unknownRoute(app: FastifyInstance, request: FastifyRequest): HttpError {
  // The router takes such a path for a known one, whatever the method.
  if (hasTooLongPart(app, request.url)) return notFound();
  const known = METHODS.flatMap((method) => {
    const route = app.findRoute({ method, url: request.url });
    if (route === null || takesEverything(route.params, request.url)) return [];
    return [{ method, placeholders: Object.keys(route.params).length }];
  });
  // Where there is a route for the method, it is what the route would serve that is not there.
  if (known.length === 0 || known.some(({ method }) => method === request.method)) return notFound();
  // Where a path is both a name of its own and something another route would take for an id, the name is meant.
  const fewest = Math.min(...known.map(({ placeholders }) => placeholders));
  return methodNotAllowed(
    known.filter(({ placeholders }) => placeholders === fewest).map(({ method }) => method),
  );
}

function hasTooLongPart(app: FastifyInstance, url: string): boolean {
  const longest = app.initialConfig.routerOptions?.maxParamLength ?? Number.POSITIVE_INFINITY;
  const [path = ""] = url.split("?", 1);
  return path.split("/").some((part) => part.length > longest);
}

/** Whether a route matches because it would match any path, as that of an application's pages does. */
function takesEverything(params: Readonly<Record<string, string | undefined>>, url: string): boolean {
  const [path = ""] = url.split("?", 1);
  return params["*"] !== undefined && decodeURIComponent(path) === `/${params["*"]}`;
}
