import type { FastifyPluginAsync } from "fastify";
import { ApiError } from "./api-error.ts";
import { checkoutRoutes } from "./checkout-routes.ts";
import type { Clock } from "./clock.ts";
import { invoiceRoutes } from "./invoice-routes.ts";
import { onboardingRoutes } from "./onboarding-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { isProgram, sendPage } from "./page-io.ts";
import { notice } from "./page-parts.ts";
import { portalRoutes } from "./portal-routes.ts";
import type { World } from "./world.ts";

const LARGEST_BODY = 16 * 1024;

/** Stripe's hosted pages, for the main server: each answers browsers with HTML and programs with JSON. */
export function createHostedPages(world: World, secretKey: string, clock: Clock): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string", bodyLimit: LARGEST_BODY }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, request, reply) => {
      if (!(error instanceof ApiError)) throw error;
      if (isProgram(request) || request.headers.accept?.includes("text/html") !== true) {
        return reply.code(error.status).send(error.body());
      }
      const title = error.status === 404 ? "This page does not exist" : "This does not work";
      return sendPage(reply, error.status, notice(title, error.message, null));
    });

    checkoutRoutes(app, world);
    portalRoutes(app, world);
    invoiceRoutes(app, world);
    onboardingRoutes(app, world);
    operatorRoutes(app, world, secretKey, clock);
  };
}
