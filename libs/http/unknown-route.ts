import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import type { HttpError } from "./envelope.ts";
import { methodNotAllowed, notFound } from "./http-error.ts";

/** A path is known by these. OPTIONS is CORS's affair: a catch-all preflight route must not make every path a known one. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly HTTPMethods[];

/** What is wrong with a request that no route takes. */
export function unknownRoute(app: FastifyInstance, request: FastifyRequest): HttpError {
  const known = METHODS.flatMap((method) => {
    const route = app.findRoute({ method, url: request.url });
    return route === null ? [] : [{ method, placeholders: Object.keys(route.params).length }];
  });
  if (known.length === 0) return notFound();
  // Where a path is both a name of its own and something another route would take for an id, the name is meant.
  const fewest = Math.min(...known.map(({ placeholders }) => placeholders));
  return methodNotAllowed(
    known.filter(({ placeholders }) => placeholders === fewest).map(({ method }) => method),
  );
}
