import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Logger } from "pino";
import type { ErrorCode } from "#libs/domain/error-codes.ts";
import { HttpError } from "./envelope.ts";
import { malformedBody, methodNotAllowed, notFound } from "./http-error.ts";
import { NOT_JSON } from "./plain-json.ts";

/** Fastify's refusals of bad requests. Any other error of Fastify's is a bug of ours. */
const FASTIFY_REFUSALS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "PAYLOAD_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "BAD_REQUEST",
  FST_ERR_CTP_INVALID_JSON_BODY: "INPUT_VALIDATION_FAILED",
  FST_ERR_CTP_EMPTY_JSON_BODY: "INPUT_VALIDATION_FAILED",
  FST_ERR_VALIDATION: "INPUT_VALIDATION_FAILED",
  FST_ERR_BAD_URL: "NOT_FOUND",
  FST_ERR_MAX_PARAM_LENGTH: "NOT_FOUND",
  FST_ERR_NOT_FOUND: "NOT_FOUND",
  // A path of a file with a backslash, which is another file's on another system.
  FST_STATIC_FORBIDDEN_PATH: "NOT_FOUND",
  FST_ERR_HANDLER_TIMEOUT: "SERVICE_UNAVAILABLE",
};

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  408: "REQUEST_TIMEOUT",
  413: "PAYLOAD_TOO_LARGE",
  414: "URI_TOO_LONG",
  415: "UNSUPPORTED_MEDIA_TYPE",
};

/**
 * The answer to whatever was thrown. A status on an error is believed only from Fastify and from errors that declare
 * themselves fit to be shown (`expose`): SDKs put the status of their own upstream there, which is no fault of our caller.
 */
export function asHttpError(thrown: unknown, clientIsGone = false): HttpError {
  if (thrown instanceof HttpError) return thrown;
  const options = { cause: thrown };
  if (clientIsGone) return new HttpError("BAD_REQUEST", undefined, undefined, options);
  if (!(thrown instanceof Error))
    return new HttpError("INTERNAL_SERVER_ERROR", undefined, undefined, options);

  const refusal =
    "code" in thrown && typeof thrown.code === "string" ? FASTIFY_REFUSALS[thrown.code] : undefined;
  if (refusal === "INPUT_VALIDATION_FAILED") return malformedBody(NOT_JSON);
  if (refusal === "SERVICE_UNAVAILABLE") {
    return new HttpError(refusal, undefined, undefined, { ...options, headers: { "retry-after": "1" } });
  }
  if (refusal !== undefined) return new HttpError(refusal, undefined, undefined, options);
  if ("expose" in thrown && thrown.expose === true && "statusCode" in thrown) {
    const { statusCode } = thrown;
    if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
      return new HttpError(BY_STATUS[statusCode] ?? "BAD_REQUEST", undefined, undefined, options);
    }
  }
  return new HttpError("INTERNAL_SERVER_ERROR", undefined, undefined, options);
}

/** Answers every error in the envelope; errors that are not the caller's fault are logged with the request's id. */
export function answerErrors(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((thrown, request, reply) => {
    // Some methods fail before it is seen that no route has them (QUERY without a content type).
    const error = request.is404
      ? unknownRoute(app, request)
      : asHttpError(thrown, request.raw.socket.destroyed);
    if (error.status >= 500) {
      const context = {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        err: thrown,
      };
      if (error.code === "INTERNAL_SERVER_ERROR") logger.error(context, "request failed");
      else logger.warn(context, `request refused: ${error.code}`);
    }
    sendError(reply, error);
  });
}

/** An `Authorization` with a bearer token: a 401 then says that the token is not valid (RFC 6750, 3.1). */
const BEARER = /^bearer(\s|$)/i;

/** Sends one error as the answer: status, headers, envelope. */
export function sendError(reply: FastifyReply, error: HttpError): void {
  reply.code(error.status).headers(error.headers).header("cache-control", "no-store");
  if (error.status === 401 && BEARER.test(reply.request.headers.authorization ?? "")) {
    reply.header("www-authenticate", 'Bearer error="invalid_token"');
  }
  reply.send(error.envelope(reply.request.id));
}

/** Answers requests that Fastify rejects before routing (`frameworkErrors`), where no hook has run. */
export function answerFrameworkError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
  sendError(reply, asHttpError(error));
}

/** Asked about a request that no route answers, before its 404 or 405; an error takes their place. */
export type UnknownRouteCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<HttpError | null>;

declare module "fastify" {
  interface FastifyInstance {
    readonly unknownRoutes: { check: UnknownRouteCheck | null };
  }
}

/** Answers an unknown path with 404, and a known path with another method with 405 and `Allow`. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const unknownRoutes: FastifyInstance["unknownRoutes"] = { check: null };
  app.decorate("unknownRoutes", unknownRoutes);
  app.setNotFoundHandler(async (request, reply) => {
    const refusal = (await unknownRoutes.check?.(request, reply)) ?? null;
    sendError(reply, refusal ?? unknownRoute(app, request));
    return reply;
  });
}

/** The methods that make a path known. Not OPTIONS: a catch-all preflight route would make every path known. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly HTTPMethods[];

/** The error for a request without a route. */
function unknownRoute(app: FastifyInstance, request: FastifyRequest): HttpError {
  // The router reports such a path as known for every method.
  if (hasTooLongPart(app, request.url)) return notFound();
  const known = METHODS.flatMap((method) => {
    const route = app.findRoute({ method, url: request.url });
    if (route === null || takesEverything(route.params, request.url)) return [];
    return [{ method, placeholders: Object.keys(route.params).length }];
  });
  // A route for the method exists, so the resource behind it does not.
  if (known.length === 0 || known.some(({ method }) => method === request.method)) return notFound();
  // When a path matches both a fixed name and a placeholder, the name wins.
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

/** Whether the route matches every path, like that of an application's pages. */
function takesEverything(params: Readonly<Record<string, string | undefined>>, url: string): boolean {
  const [path = ""] = url.split("?", 1);
  return params["*"] !== undefined && decodeURIComponent(path) === `/${params["*"]}`;
}
