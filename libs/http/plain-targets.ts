import type { FastifyInstance } from "fastify";
import { isPlainTarget } from "#libs/process/request-target.ts";
import { sendError } from "./error-answers.ts";
import { notFound } from "./http-error.ts";

/**
 * Answers 404 to a request whose path is another one once it is normalised, before anything else looks at it. What is
 * answered directly matches whole paths that are known, so it needs no look.
 */
export function insistOnPlainTargets(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (isPlainTarget(request.raw.url ?? "")) done();
    else sendError(reply, notFound());
  });
}
