import type { FastifyInstance } from "fastify";
import { sendError } from "./error-answers.ts";
import { notFound } from "./http-error.ts";

/** Path and query of nearly every request. Each part begins with a character that no normalisation touches. */
const USUAL_PATH = /^(?:\/[\w~-][\w.~-]*)*\/?(?:\?|$)/;

/**
 * Whether a request's target (`request.url` of Node) names the path that it is written as. Backslashes, dot segments and
 * their encodings, a doubled slash in front, an absolute address, tabs: each is one path to a router and another to a
 * URL parser, so access could be checked for one of them and the other be answered. Servers answer 404 to those.
 */
export function isPlainTarget(target: string): boolean {
  if (USUAL_PATH.test(target)) return target !== "" && target[0] !== "?";
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  return path.startsWith("/") && URL.parse(path, "http://host")?.pathname === path;
}

/** Answers 404 to a request whose path changes when it is normalised. Direct answers match whole known paths anyway. */
export function insistOnPlainTargets(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (isPlainTarget(request.raw.url ?? "")) done();
    else sendError(reply, notFound());
  });
}
