import { type FastifyInstance, fastify, LogController } from "fastify";
import type { Logger } from "pino";
import { parseJsonBodies } from "./body-parsers.ts";
import { endConnectionsOnceAnswered } from "./closing.ts";
import { allowDirectAnswers } from "./direct-answers.ts";
import { answerErrors, answerFrameworkError } from "./error-answers.ts";
import { insistOnHttps } from "./https-only.ts";
import { createParserErrorHandler } from "./parser-errors.ts";
import { insistOnPlainTargets } from "./plain-targets.ts";
import { answerRequestIds, createRequestIds } from "./request-id.ts";
import { RequestLog } from "./request-log.ts";
import { trustedProxies } from "./trusted-proxies.ts";
import { answerUnknownRoutes } from "./unknown-routes.ts";

const ONE_MEBIBYTE = 1024 * 1024;
/** Over the usual 60 s of load balancers, so that it is never us who closes a connection they are about to use. */
const KEEP_ALIVE_MS = 72_000;
/** For a whole request to arrive, body included. */
const REQUEST_ARRIVES_WITHIN_MS = 30_000;
/** Ids are under 100 characters, ours and the payment processor's; a longer one does not exist. */
const LONGEST_PARAMETER = 200;

export interface ServerOptions {
  readonly logger: Logger;
  /** Addresses or ranges of the proxies whose `X-Forwarded-*` headers are believed; false believes nobody. */
  readonly trustProxy: false | readonly string[];
  /** Where callers reach the service; https here means https only. */
  readonly publicUrl: URL;
  /** The largest body, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** Given where TLS ends here and not at a proxy; PEM. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined;
}

/**
 * A Fastify server with what every service shares: request ids, errors in the envelope, time-outs, https. Requests are
 * not logged one by one (services count their own); failures are, with the request's id.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { logger, trustProxy, publicUrl, bodyLimit = ONE_MEBIBYTE, tls } = options;
  const isTrusted = trustedProxies(trustProxy === false ? [] : trustProxy);
  const newRequestId = createRequestIds(isTrusted);

  const app: FastifyInstance = fastify({
    // Not as `loggerInstance`: with one, Fastify makes a child logger and listeners for each request, a quarter of what
    // a ready answer costs.
    childLoggerFactory: (_none, bindings) => new RequestLog(logger, bindings),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy === false ? false : isTrusted,
    bodyLimit,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_ARRIVES_WITHIN_MS,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    genReqId: newRequestId,
    // Requests that arrive on open connections during a shutdown are still answered, and the connections then closed.
    return503OnClosing: false,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: createParserErrorHandler(newRequestId),
    ...(tls === undefined ? {} : { https: { cert: tls.cert, key: tls.key } }),
  });

  app.log = logger;
  allowDirectAnswers(app, { isTrusted, newRequestId, publicUrl });
  answerRequestIds(app);
  endConnectionsOnceAnswered(app, trustProxy !== false);
  insistOnPlainTargets(app);
  insistOnHttps(app, publicUrl);
  parseJsonBodies(app);
  answerUnknownRoutes(app);
  answerErrors(app, logger);
  return app;
}
