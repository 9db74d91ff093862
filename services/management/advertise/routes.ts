import type { FastifyInstance } from "fastify";
import { notFound } from "#libs/http/index.ts";
import type { Services } from "../services.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import { offerRoutes } from "./offer/routes.ts";
import { serveAssets } from "./page/assets.ts";
import { takeForms } from "./page/form-body.ts";
import { refusalOf, refusalPage } from "./page/refusal.ts";
import { sendPage } from "./page/send.ts";
import type { Site } from "./page/site.ts";

/**
 * The pages for advertisers below `/advertise`: what a publisher sells, and what becomes of what was bought. Refusals are
 * pages too, with the statuses of the API.
 */
export async function advertiseRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    const site: Site = { services, assets: await serveAssets(scope, services.logger) };
    takeForms(scope);
    scope.setErrorHandler((thrown, _request, reply) => {
      const refusal = refusalOf(thrown, reply, services);
      return sendPage(reply, site, refusal.status, refusalPage(refusal, null));
    });
    offerRoutes(scope, site);
    checkoutRoutes(scope, site);
    scope.get("/advertise/*", () => {
      throw notFound();
    });
  });
}
