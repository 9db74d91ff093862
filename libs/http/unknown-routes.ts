import type { FastifyInstance, HTTPMethods } from "fastify";
import { sendError } from "./error-answers.ts";
import { methodNotAllowed, notFound } from "./http-error.ts";

/** A path is known by these. OPTIONS is CORS's affair: a catch-all preflight route must not make every path a known one. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly HTTPMethods[];

/** Answers an unknown path with 404, and a known one with a method it does not have with 405 and `Allow`. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    const allowed = METHODS.filter((method) => app.findRoute({ method, url: request.url }) !== null);
    sendError(reply, allowed.length > 0 ? methodNotAllowed(allowed) : notFound());
  });
}
