import { apiKeyRoutes, trackingKeyRoutes } from "../accounts/api-keys/routes.ts";
import { invitationRoutes } from "../accounts/members/invitation-routes.ts";
import { memberRoutes } from "../accounts/members/routes.ts";
import { settingsRoutes } from "../accounts/settings/routes.ts";
import { workspaceRoutes } from "../accounts/workspaces/routes.ts";
import { advertiserRoutes } from "../ads/advertisers/routes.ts";
import { correctionRoutes } from "../ads/corrections/routes.ts";
import { revisionRoutes } from "../ads/revisions/routes.ts";
import { adRoutes } from "../ads/routes.ts";
import { statsRoutes } from "../ads/stats.ts";
import { subscriptionChangeRoutes } from "../ads/subscription-changes.ts";
import { subscriptionTotalsRoutes } from "../ads/subscription-totals.ts";
import { subscriptionRoutes } from "../ads/subscriptions.ts";
import { api } from "../api/api.ts";
import { auditRoutes } from "../audit/routes.ts";
import { connectRoutes } from "../billing/connect/routes.ts";
import { invoiceRoutes } from "../billing/ledger/routes.ts";
import { fieldRoutes } from "../catalogue/fields/routes.ts";
import { priceRoutes } from "../catalogue/tiers/prices.ts";
import { tierRoutes } from "../catalogue/tiers/routes.ts";
import { logosOf } from "../media/uploads/logo.ts";
import { uploadRoutes } from "../media/uploads/routes.ts";
import { accountRoutes, advertiserPrivacyRoutes, workspacePrivacyRoutes } from "../privacy/routes.ts";
import { reportRoutes } from "../reports/routes.ts";
import { checkoutRoutes } from "../selling/checkout/routes.ts";
import type { Services } from "./services.ts";

/**
 * Every endpoint of the management contract with its handler. Handlers get their database from their request, scoped to the
 * workspace whose access was granted, so only the checkout, which anybody may call, is given the one of the whole installation.
 */
export const createRouter = (services: Services) => {
  const { db: _unscoped, ...ports } = services;
  return api.router({
    account: accountRoutes(ports),
    ads: adRoutes(ports),
    advertisers: { ...advertiserRoutes(ports), ...advertiserPrivacyRoutes(ports) },
    apiKeys: apiKeyRoutes,
    audit: auditRoutes,
    checkout: checkoutRoutes(services),
    connect: connectRoutes(ports),
    corrections: correctionRoutes,
    fields: fieldRoutes,
    invitations: invitationRoutes(ports),
    invoices: invoiceRoutes(ports),
    members: memberRoutes,
    prices: priceRoutes,
    reports: reportRoutes(ports),
    revisions: revisionRoutes(ports),
    settings: settingsRoutes({ ...ports, logos: logosOf(ports) }),
    stats: statsRoutes(ports),
    subscriptions: {
      ...subscriptionRoutes,
      ...subscriptionTotalsRoutes(ports),
      ...subscriptionChangeRoutes(ports),
    },
    tiers: tierRoutes,
    trackingKeys: trackingKeyRoutes,
    uploads: uploadRoutes(ports),
    workspaces: { ...workspaceRoutes(ports), ...workspacePrivacyRoutes(ports) },
  });
};
