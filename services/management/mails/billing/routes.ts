import type { FastifyInstance } from "fastify";
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
    async ({ params: { sessionId }, ip: address }, reply) => {
      const page = await findBillingPage(services, { sessionId, address });
      return reply.header("cache-control", "no-store").redirect(page, 303);
    },
  );
}
