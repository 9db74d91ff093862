import type { FastifyInstance } from "fastify";
import { httpError } from "./http-error.ts";

/**
 * JSON is the only body there is. An empty one is no body whatever type it claims (clients send `application/json` on
 * POSTs that need none), and bodies sent to unknown routes are not looked at. A plugin that takes other bodies calls
 * `removeAllContentTypeParsers()` in its own scope first.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  // Unknown keys are ignored, and so are the two that could reach an object's prototype.
  const parseJson = app.getDefaultJsonParser("remove", "remove");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0 || request.is404) done(null, undefined);
    else void parseJson(request, body, done);
  });
  app.addContentTypeParser("*", (request, _payload, done) => {
    const isEmpty = request.headers["content-length"] === "0";
    if (isEmpty || request.is404) done(null, undefined);
    else done(httpError("UNSUPPORTED_MEDIA_TYPE"));
  });
}
