import { hash, timingSafeEqual } from "node:crypto";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from "fastify";
import { isPlainTarget } from "#libs/http/index.ts";
import { ApiError } from "../engine/api-error.ts";
import type { Engine } from "../engine/engine.ts";
import { parseForm } from "../engine/form-encoding.ts";
import { newStripeId } from "../engine/ids.ts";
import { processDue } from "../engine/process-due.ts";
import { ACCOUNT_ENDPOINTS, engineForRequest } from "./accounts.ts";
import type { Endpoint } from "./endpoint.ts";
import { expandFields } from "./expand.ts";
import { HOSTED_SESSION_ENDPOINTS } from "./hosted-sessions.ts";
import { answerOnce } from "./idempotency.ts";
import { MONEY_ENDPOINTS } from "./money.ts";
import { PRODUCT_ENDPOINTS } from "./products.ts";
import { SUBSCRIPTION_ENDPOINTS } from "./subscriptions.ts";

const FORM = "application/x-www-form-urlencoded";
const LARGEST_BODY = 256 * 1024;

/** Stripe's API over the engine, for callers with the key. Not listening yet. */
export function createApiServer(
  engine: Engine,
  secretKey: string,
  logger: FastifyBaseLogger,
): FastifyInstance {
  const app: FastifyInstance = fastify({ logger: false, bodyLimit: LARGEST_BODY });
  app.addContentTypeParser(FORM, { parseAs: "string" }, (_request, body, done) => done(null, body));

  app.addHook("onRequest", async (request, reply) => {
    reply.header("request-id", newStripeId("req"));
    if (!isPlainTarget(request.raw.url ?? "")) throw unrecognized(request);
    if (!holdsKey(request, secretKey)) {
      throw new ApiError(401, { type: "invalid_request_error", message: "Invalid API Key provided." });
    }
  });

  const endpoints = [
    ...PRODUCT_ENDPOINTS,
    ...HOSTED_SESSION_ENDPOINTS,
    ...SUBSCRIPTION_ENDPOINTS,
    ...MONEY_ENDPOINTS,
    ...ACCOUNT_ENDPOINTS,
  ];
  for (const endpoint of endpoints) {
    app.route<{ Params: { id?: string } }>({
      method: endpoint.method,
      url: endpoint.path,
      handler: (request, reply) => answer(engine, endpoint, request, request.params.id ?? "", reply),
    });
  }

  app.setNotFoundHandler((request) => {
    throw unrecognized(request);
  });
  app.setErrorHandler((error, _request, reply) => {
    const refusal = toApiError(error, logger);
    return reply.code(refusal.status).send(refusal.body());
  });
  return app;
}

function unrecognized({ method, url }: FastifyRequest): ApiError {
  const message = `Unrecognized request URL (${method}: ${url.split("?")[0]}).`;
  return new ApiError(404, { type: "invalid_request_error", message });
}

function answer(
  platform: Engine,
  endpoint: Endpoint,
  request: FastifyRequest,
  id: string,
  reply: FastifyReply,
): FastifyReply {
  processDue(platform);
  const engine = engineForRequest(platform, headerOf(request, "stripe-account"));
  if (engine.account !== null) reply.header("stripe-account", engine.account);
  const [path = "", query = ""] = request.url.split("?");
  const body = typeof request.body === "string" ? request.body : "";
  const given = parseForm(endpoint.method === "POST" ? body : query);
  const handle = endpoint.prepare(given);
  const run = () => {
    const answer = handle(engine, id);
    // A refusal that is returned, and not thrown, keeps what was done.
    return answer instanceof ApiError ? answer : expandFields(engine.records, answer, pathsOf(given.expand));
  };
  const key = headerOf(request, "idempotency-key") ?? "";
  if (endpoint.method !== "POST" || key === "") {
    const answer = endpoint.method === "GET" ? run() : engine.write(run);
    if (answer instanceof ApiError) throw answer;
    return reply.send(answer);
  }
  const once = answerOnce(engine, { key, method: endpoint.method, path, body }, run);
  reply.header("idempotency-key", key);
  if (once.replayed) reply.header("idempotent-replayed", "true");
  return reply.code(once.status).send(once.body);
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function pathsOf(expand: unknown): string[] {
  return Array.isArray(expand) ? expand.filter((path) => typeof path === "string") : [];
}

function holdsKey(request: FastifyRequest, secretKey: string): boolean {
  const given = hash("sha256", request.headers.authorization ?? "", "buffer");
  return timingSafeEqual(given, hash("sha256", `Bearer ${secretKey}`, "buffer"));
}

function toApiError(error: unknown, logger: FastifyBaseLogger): ApiError {
  if (error instanceof ApiError) return error;
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (typeof status === "number" && status >= 400 && status < 500) {
    return new ApiError(status, { type: "invalid_request_error", message: "The request cannot be read." });
  }
  logger.error({ error }, "a request to the payment sandbox failed");
  return new ApiError(500, { type: "api_error", message: "The sandbox failed; see its log." });
}
