import type { FastifyInstance } from "fastify";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { managementContract } from "#libs/contract/index.ts";
import { addressKeyOf, invalidInput } from "#libs/http/index.ts";
import { authorise, type Granted } from "./access/authorise.ts";
import { addressRateOf, takeFromAddress } from "./checkout/address-limit.ts";
import { answerRepetition, settleClaim } from "./idempotency/guard.ts";
import { answerOf } from "./procedures.ts";
import { router } from "./router.ts";
import type { Services } from "./services.ts";

declare module "fastify" {
  interface FastifyRequest {
    granted: Granted;
    /** Whether the body was still on its way when access was granted. */
    isBodyLate: boolean;
  }
}

/** The prefix of every endpoint of the contract. */
export const BASE_PATH = "/v1";

/**
 * Mounts the contract below `/v1`: one Fastify route per endpoint, so that access is checked before the body is read and
 * metrics name the route. Each route calls its own procedure, so the endpoint whose access was checked is the one that runs.
 */
export function contractRoutes(app: FastifyInstance, services: Services): void {
  app.decorateRequest("granted", null);
  app.decorateRequest("isBodyLate", false);
  app.decorateRequest("claim", null);
  for (const endpoint of listEndpoints(managementContract)) {
    const { method, path, access, idempotent } = endpoint;
    const answer = answerOf(router, endpoint);
    const addressRate = addressRateOf(endpoint);
    app.route<{ Params: { workspaceId?: string } }>({
      method,
      url: `${BASE_PATH}${path.replace(/\{(\w+)\}/g, ":$1")}`,
      onRequest: async (request, reply) => {
        reply.header("cache-control", "no-store");
        if (addressRate !== null) await takeFromAddress(services, addressRate, addressKeyOf(request));
        request.granted = await authorise(services, access, request, reply);
        request.isBodyLate = !request.raw.complete;
      },
      preHandler: async (request, reply) => {
        // A person who holds a body back could otherwise still act after they were removed, demoted or suspended.
        if (request.isBodyLate) request.granted = await authorise(services, access, request, reply);
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
      handler: (request, reply) => answer(request, reply, { services, access: request.granted, reply }),
    });
  }
}
