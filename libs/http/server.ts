import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type FastifyInstance, type FastifyRequest, fastify, LogController } from "fastify";
import type { Logger } from "pino";
import { type BodyBounds, boundBodies } from "./bodies.ts";
import { trustedProxies } from "./client-address.ts";
import { endConnectionsOnceAnswered } from "./closing.ts";
import { boundConnections, isLoopback } from "./connections.ts";
import { DirectAnswers } from "./direct-answers.ts";
import { answerErrors, answerFrameworkError, answerUnknownRoutes } from "./error-answers.ts";
import { httpError, malformedBody, unsupportedCoding } from "./http-error.ts";
import { insistOnHttps } from "./https-only.ts";
import { createParserErrorHandler } from "./parser-errors.ts";
import { oneAtATime } from "./pipelining.ts";
import { costOfJson } from "./plain-json.ts";
import { insistOnPlainTargets } from "./plain-targets.ts";
import { answerRequestIds, createRequestIds } from "./request-id.ts";
import { RequestLog } from "./request-log.ts";
import { boundUnsentAnswers, cutOffStalledAnswers } from "./slow-readers.ts";
import { insistOnLargePieces } from "./small-pieces.ts";

/**
 * In TLS 1.3 a client may send any number of key updates (RFC 8446, 4.6.3). OpenSSL handles them by itself, so that nothing here can
 * count them, and a megabyte takes it half a second: others would wait for seconds. A proxy in front can offer 1.3.
 */
const NEWEST_TLS = "TLSv1.2";
/** All browsers have one of these. A handshake on a longer curve takes four times as long. */
const CURVES = "X25519:prime256v1";

const ONE_MEBIBYTE = 1024 * 1024;
/** The largest body, in bytes, of a route that takes a few short values from anybody. */
export const SMALL_BODY = 16 * 1024;
/** Over the usual 60 s of load balancers, so that it is never us who closes a connection they are about to use. */
const KEEP_ALIVE_MS = 72_000;
/** The time for a whole request to arrive, body included. */
const REQUEST_ARRIVES_WITHIN_MS = 30_000;
/** How often Node looks for requests that take longer. Its default, 30 s, would let them take twice as long. */
const CHECK_ARRIVALS_EVERY_MS = 5_000;
/** How long a plugin may take to load. Fastify's default, 10 s, stops starts on busy machines. */
const PLUGIN_LOADS_WITHIN_MS = 5 * 60_000;
/** Ids are under 100 characters, ours and the payment processor's; a longer one does not exist. */
export const LONGEST_PARAMETER = 200;

export interface ServerOptions {
  readonly logger: Logger;
  /** Addresses or ranges of the proxies whose `X-Forwarded-*` headers are believed; false believes nobody. */
  readonly trustProxy: false | readonly string[];
  /** Where callers reach the service; https here means https only. */
  readonly publicUrl: URL;
  /** The largest body, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** How long an answer may make no progress, in milliseconds. Default 30,000. */
  readonly stalledMs?: number;
  /** What all bodies that are arriving may take. Default 64 MiB, and 10 s without progress. */
  readonly bodies?: BodyBounds;
  /** What answers may take that are made and not sent yet. Default 64 MiB. */
  readonly mostUnsentBytes?: number;
  /** Given where TLS ends here and not at a proxy; PEM. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined;
}

/** A Fastify server with what services share: request ids, errors, time-outs, https. Only failures are logged. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { logger, trustProxy, publicUrl, bodyLimit = ONE_MEBIBYTE, bodies, tls } = options;
  const isTrusted = trustedProxies(trustProxy === false ? [] : trustProxy);
  const newRequestId = createRequestIds(isTrusted);
  const refuseRequest = createParserErrorHandler(newRequestId);
  const direct = new DirectAnswers({ isTrusted, newRequestId, publicUrl });

  const app: FastifyInstance = fastify({
    // Not as `loggerInstance`: with one, Fastify makes a child logger and listeners for each request, a quarter of what
    // a ready answer costs.
    childLoggerFactory: (_none, bindings) => new RequestLog(logger, bindings),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy === false ? false : isTrusted,
    bodyLimit,
    pluginTimeout: PLUGIN_LOADS_WITHIN_MS,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    genReqId: newRequestId,
    // Requests that arrive on open connections during a shutdown are still answered, and the connections then closed.
    return503OnClosing: false,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: refuseRequest,
    serverFactory: (handler) =>
      openHttp(insistOnLargePieces(oneAtATime(direct.before(handler)), refuseRequest), tls),
  });

  app.log = logger;
  boundConnections(app.server, (address) => isTrusted(address) || isLoopback(address));
  cutOffStalledAnswers(app.server, options.stalledMs);
  boundUnsentAnswers(app.server, ({ req }) => direct.addressOf(req), options.mostUnsentBytes);
  app.decorate("direct", direct);
  app.addHook("preClose", async () => direct.close());
  answerRequestIds(app);
  endConnectionsOnceAnswered(app);
  insistOnPlainTargets(app);
  insistOnHttps(app, publicUrl);
  boundBodies(app, bodies);
  parseJsonBodies(app);
  answerUnknownRoutes(app);
  answerErrors(app, logger);
  return app;
}

function openHttp(listener: RequestListener, tls: ServerOptions["tls"]) {
  const timeouts = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_ARRIVES_WITHIN_MS,
    connectionsCheckingInterval: CHECK_ARRIVALS_EVERY_MS,
  };
  const server =
    tls === undefined
      ? createHttpServer(timeouts, listener)
      : createHttpsServer({ ...timeouts, ...tls, maxVersion: NEWEST_TLS, ecdhCurve: CURVES }, listener);
  // Node itself would answer 417 and go on reading a body that nobody bounds. An unknown expectation may be ignored.
  return server.on("checkExpectation", (...exchange) => server.emit("request", ...exchange));
}

/** Accepts JSON bodies only. Ignores empty bodies, whatever their type, and does not parse bodies for unknown routes. */
function parseJsonBodies(app: FastifyInstance): void {
  // Unknown keys are ignored, and so are the two that could reach an object's prototype.
  const parseJson = app.getDefaultJsonParser("remove", "remove");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0 || request.is404) done(null, undefined);
    else if (isEncoded(request)) done(unsupportedCoding());
    else {
      const cost = costOfJson(body);
      if (cost === null) void parseJson(request, body, done);
      else done(malformedBody(cost));
    }
  });
  app.addContentTypeParser("*", (request, _payload, done) => {
    const isEmpty = request.headers["content-length"] === "0";
    if (isEmpty || request.is404) done(null, undefined);
    else done(isEncoded(request) ? unsupportedCoding() : httpError("UNSUPPORTED_MEDIA_TYPE"));
  });
}

/** Whether a body is compressed. Nobody here decompresses one: a small body could become any size. */
function isEncoded({ headers }: FastifyRequest): boolean {
  const coding = headers["content-encoding"]?.trim().toLowerCase();
  return coding !== undefined && coding !== "" && coding !== "identity";
}
