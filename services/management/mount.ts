import { OpenAPIHandler } from "@orpc/openapi/fastify";
import type { FastifyInstance } from "fastify";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { managementContract } from "#libs/contract/index.ts";
import { invalidInput, notFound } from "#libs/http/index.ts";
import type { Actor } from "./access/actor.ts";
import { authorise } from "./access/authorise.ts";
import { answerRepetition, settleClaim } from "./idempotency/guard.ts";
import { refuse } from "./refusals.ts";
import { router } from "./router.ts";
import type { RequestContext, Services } from "./services.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

/** The prefix of every endpoint of the contract. */
export const BASE_PATH = "/v1";

/**
 * Mounts the contract below `/v1`: one Fastify route an endpoint, so that access is checked before the body is read and
 * metrics name the route; oRPC then validates, runs the handler and shapes the answer.
 */
export function contractRoutes(app: FastifyInstance, services: Services): void {
  const handler = new OpenAPIHandler<RequestContext>(router, {
    clientInterceptors: [
      async ({ next, context }) => {
        try {
          return await next();
        } catch (thrown) {
          throw refuse(thrown, context.reply, services.logger);
        }
      },
    ],
  });

  app.decorateRequest("actor", null);
  app.decorateRequest("claim", null);
  for (const { method, path, access, idempotent } of listEndpoints(managementContract)) {
    app.route<{ Params: { workspaceId?: string } }>({
      method,
      url: `${BASE_PATH}${path.replace(/\{(\w+)\}/g, ":$1")}`,
      onRequest: async (request, reply) => {
        reply.header("cache-control", "no-store");
        request.actor = await authorise(services, access, request, reply);
      },
      preHandler: async (request, reply) => {
        const { body } = request;
        if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body))) {
          throw invalidInput({ formErrors: ["The body has to be a JSON object."] });
        }
        return idempotent ? await answerRepetition(services, request, reply) : undefined;
      },
      onSend: async (request, reply, body) => {
        await settleClaim(services, request, reply, body);
        return body;
      },
      handler: async (request, reply) => {
        const { matched } = await handler.handle(request, reply, {
          prefix: BASE_PATH,
          context: { services, actor: request.actor, address: request.ip, reply },
        });
        if (!matched) throw notFound();
        return reply;
      },
    });
  }
}
