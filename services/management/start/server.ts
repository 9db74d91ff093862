import type { FastifyInstance } from "fastify";
import { measureRequests, registerSecurityHeaders } from "#libs/http/index.ts";
import { peopleRoutes } from "../accounts/people/routes.ts";
import { translate } from "../api/refusals.ts";
import { webhookRoutes } from "../billing/webhooks/routes.ts";
import { countingRoutes } from "../pages/counting/routes.ts";
import { dashboardRoutes } from "../pages/dashboard/routes.ts";
import { embedRoutes } from "../pages/embed/routes.ts";
import { privacySignalRoutes } from "../pages/privacy-signal.ts";
import { unsubscribeRoutes } from "../pages/unsubscribe/routes.ts";
import { docsRoutes } from "../reference/routes.ts";
import { billingLinkRoutes } from "../selling/billing-link.ts";
import { advertiseRoutes } from "../selling/routes.ts";
import { contractRoutes } from "./mount.ts";
import type { Services } from "./services.ts";

/** Mounts every route of management. */
export async function managementRoutes(app: FastifyInstance, services: Services): Promise<void> {
  measureRequests(app, services.metrics, services.slowRequestMs);
  // Routes check access before the handler, outside the contract's own translation of errors.
  app.setErrorHandler((thrown) => {
    throw translate(thrown);
  });
  const { publicUrl, uploads } = services;
  await registerSecurityHeaders(app, {
    https: publicUrl.protocol === "https:",
    imageOrigins: uploads.origins.filter((origin) => origin !== publicUrl.origin),
  });
  peopleRoutes(app, services);
  await contractRoutes(app, services);
  await webhookRoutes(app, services);
  billingLinkRoutes(app, services);
  await unsubscribeRoutes(app, services);
  await advertiseRoutes(app, services);
  await docsRoutes(app, services);
  await countingRoutes(app, services);
  privacySignalRoutes(app);
  await embedRoutes(app, services);
  await dashboardRoutes(app);
}
