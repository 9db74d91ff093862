import type { FastifyInstance, FastifyRequest } from "fastify";
import { httpError } from "#libs/http/index.ts";

const FORM = "application/x-www-form-urlencoded";

/** Lets the routes of a scope take forms, and nothing else. */
export function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>(FORM, { parseAs: "string" }, (_request, body, done) =>
    done(null, new URLSearchParams(body)),
  );
  scope.addContentTypeParser("*", (request, _payload, done) => {
    if (request.headers["content-length"] === "0") done(null, undefined);
    else done(httpError("UNSUPPORTED_MEDIA_TYPE"));
  });
}

/** What a form has sent; empty where nothing was. */
export function formOf({ body }: Pick<FastifyRequest, "body">): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
