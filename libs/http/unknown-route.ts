import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import type { HttpError } from "./envelope.ts";
import { methodNotAllowed, notFound } from "./http-error.ts";

/** A path is known by these. OPTIONS is CORS's affair: a catch-all preflight route must not make every path a known one. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly HTTPMethods[];

/** What is wrong with a request that no route takes. */
export function unknownRoute(app: FastifyInstance, request: FastifyRequest): HttpError {
  const allowed = METHODS.filter((method) => app.findRoute({ method, url: request.url }) !== null);
  return allowed.length > 0 ? methodNotAllowed(allowed) : notFound();
}
