import type { FastifyInstance } from "fastify";
import { addressKeyOf } from "#libs/http/index.ts";
import type { Services } from "../../services.ts";
import { findBillingPage } from "./page.ts";

/**
 * `GET /v1/checkout-sessions/{sessionId}/billing`: redirects an advertiser to the processor's page for what was bought.
 * For pages that a publisher has made; mails lead to the one of `advertise/`, which refuses in HTML.
 */
export function billingLinkRoutes(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { sessionId: string } }>(
    "/v1/checkout-sessions/:sessionId/billing",
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { sessionId } = request.params;
      const page = await findBillingPage(services, { sessionId, address: addressKeyOf(request) });
      return reply.header("cache-control", "no-store").redirect(page, 303);
    },
  );
}
