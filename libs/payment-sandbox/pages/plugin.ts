import type { FastifyPluginAsync } from "fastify";
import { ApiError } from "../engine/api-error.ts";
import type { Clock } from "../engine/clock.ts";
import type { Engine } from "../engine/engine.ts";
import { checkoutRoutes } from "./checkout-routes.ts";
import { isProgram, sendPage } from "./forms.ts";
import { invoiceRoutes } from "./invoice.ts";
import { notice } from "./layout.ts";
import { onboardingRoutes } from "./onboarding.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { portalRoutes } from "./portal-routes.ts";

const LARGEST_BODY = 16 * 1024;

/** Stripe's hosted pages and the operator's calls, for the main server: HTML for browsers, JSON for programs. */
export function createHostedPages(engine: Engine, secretKey: string, clock: Clock): FastifyPluginAsync {
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
      const title = error.status === 404 ? "Page not found" : "That didn't work";
      return sendPage(reply, error.status, notice(title, error.message, null));
    });

    checkoutRoutes(app, engine);
    portalRoutes(app, engine);
    invoiceRoutes(app, engine);
    onboardingRoutes(app, engine);
    operatorRoutes(app, engine, secretKey, clock);
  };
}
