import { adRoutes } from "./ads/routes.ts";
import { advertiserRoutes } from "./advertisers/routes.ts";
import { api } from "./api.ts";
import { apiKeyRoutes } from "./api-keys/routes.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import { fieldRoutes } from "./fields/routes.ts";
import { priceRoutes } from "./prices/routes.ts";
import { tierRoutes } from "./tiers/routes.ts";
import { uploadRoutes } from "./uploads/routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** Every endpoint of the management contract with what answers it. */
export const router = api.router({
  ads: adRoutes,
  advertisers: advertiserRoutes,
  apiKeys: apiKeyRoutes,
  checkout: checkoutRoutes,
  fields: fieldRoutes,
  prices: priceRoutes,
  tiers: tierRoutes,
  uploads: uploadRoutes,
  workspaces: workspaceRoutes,
});
