import { adRoutes } from "./ads/routes.ts";
import { advertiserRoutes } from "./advertisers/routes.ts";
import { api } from "./api.ts";
import { apiKeyRoutes } from "./api-keys/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import { connectRoutes } from "./connect/routes.ts";
import { fieldRoutes } from "./fields/routes.ts";
import { invoiceRoutes } from "./ledger/routes.ts";
import { invitationRoutes } from "./members/invitation-routes.ts";
import { memberRoutes } from "./members/routes.ts";
import { priceRoutes } from "./prices/routes.ts";
import { accountRoutes } from "./privacy/account-routes.ts";
import { advertiserPrivacyRoutes } from "./privacy/advertiser-routes.ts";
import { workspacePrivacyRoutes } from "./privacy/workspace-routes.ts";
import { revisionRoutes } from "./revisions/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { statsRoutes } from "./stats/routes.ts";
import { tierRoutes } from "./tiers/routes.ts";
import { uploadRoutes } from "./uploads/routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** Every endpoint of the management contract with what answers it. */
export const router = api.router({
  account: accountRoutes,
  ads: adRoutes,
  advertisers: { ...advertiserRoutes, ...advertiserPrivacyRoutes },
  apiKeys: apiKeyRoutes,
  audit: auditRoutes,
  checkout: checkoutRoutes,
  connect: connectRoutes,
  fields: fieldRoutes,
  invitations: invitationRoutes,
  invoices: invoiceRoutes,
  members: memberRoutes,
  prices: priceRoutes,
  revisions: revisionRoutes,
  settings: settingsRoutes,
  stats: statsRoutes,
  tiers: tierRoutes,
  uploads: uploadRoutes,
  workspaces: { ...workspaceRoutes, ...workspacePrivacyRoutes },
});
