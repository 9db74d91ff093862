import type { FastifyInstance } from "fastify";
import { measureRequests, registerSecurityHeaders } from "#libs/http/index.ts";
import { advertiseRoutes } from "./advertise/routes.ts";
import { dashboardRoutes } from "./dashboard/routes.ts";
import { docsRoutes } from "./docs/routes.ts";
import { embedRoutes } from "./embed/routes.ts";
import { billingLinkRoutes } from "./mails/billing/routes.ts";
import { unsubscribeRoutes } from "./mails/unsubscribe/routes.ts";
import { contractRoutes } from "./mount.ts";
import { peopleRoutes } from "./people/routes.ts";
import { translate } from "./refusals.ts";
import type { Services } from "./services.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** Everything management answers: people, the contract, the processor's webhooks, the reference. */
export async function managementRoutes(app: FastifyInstance, services: Services): Promise<void> {
  measureRequests(app, services.metrics);
  // Access is checked before a handler runs, so its failures do not pass through the contract's own translation.
  app.setErrorHandler((thrown) => {
    throw translate(thrown);
  });
  const { publicUrl, uploads } = services;
  await registerSecurityHeaders(app, {
    https: publicUrl.protocol === "https:",
    imageOrigins: uploads.origins.filter((origin) => origin !== publicUrl.origin),
  });
  peopleRoutes(app, services);
  contractRoutes(app, services);
  await webhookRoutes(app, services);
  billingLinkRoutes(app, services);
  await unsubscribeRoutes(app, services);
  await advertiseRoutes(app, services);
  await docsRoutes(app, services);
  await embedRoutes(app, services);
  await dashboardRoutes(app);
}
