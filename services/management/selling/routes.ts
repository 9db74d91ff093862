import type { FastifyError, FastifyInstance } from "fastify";
import { notFound } from "#libs/http/index.ts";
import { lostLinkRoutes } from "./lost-link/routes.ts";
import { offerRoutes } from "./offer/routes.ts";
import { serveAssets } from "./page/assets.ts";
import { sendRefusal, takeForms } from "./page/http.ts";
import type { Site } from "./page/layout.ts";
import { closedPage, refusalOf, refusalPage } from "./page/refusal.ts";
import type { SellingPorts } from "./ports.ts";
import { findClosed, findPublisher } from "./queries.ts";
import { reportRoutes } from "./report/routes.ts";
import { checkoutRoutes, SESSION_PATH, type SessionRoute } from "./submission/routes.ts";

/**
 * The pages for advertisers below `/advertise`: what a publisher sells, and each purchase with its ad. Refusals are pages
 * too, with the statuses of the API.
 */
export async function advertiseRoutes(app: FastifyInstance, ports: SellingPorts): Promise<void> {
  await app.register(async (scope) => {
    const site: Site = { ports, assets: await serveAssets(scope, ports.logger) };
    takeForms(scope);
    scope.setErrorHandler<FastifyError, SessionRoute>(async (thrown, request, reply) => {
      const refusal = refusalOf(thrown, reply, ports.logger);
      const closed =
        refusal.status === 404 ? await findClosed(ports.db, request.params.workspace ?? "") : undefined;
      if (closed !== undefined) return sendRefusal(reply, site, refusal.status, closedPage(closed));
      const isLost = refusal.status === 404 && request.routeOptions.url?.startsWith(SESSION_PATH) === true;
      const publisher = isLost ? await findPublisher(ports.db, request.params.workspace) : undefined;
      return sendRefusal(reply, site, refusal.status, refusalPage(refusal, publisher));
    });
    await scope.register(async (pages) => {
      lostLinkRoutes(pages, site);
      offerRoutes(pages, site);
      checkoutRoutes(pages, site);
      reportRoutes(pages, site);
    });
    scope.get("/advertise/*", () => {
      throw notFound();
    });
  });
}
