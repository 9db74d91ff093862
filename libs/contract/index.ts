// The whole interface: one tree of procedures. Validation, the interface description, the typed client and the tests
// are all made from it.
import { adsContract } from "./ads.ts";
import { advertisersContract } from "./advertisers.ts";
import { checkoutContract } from "./checkout.ts";
import { fieldsContract } from "./fields.ts";
import { servingContract } from "./serving.ts";
import { pricesContract, tiersContract } from "./tiers.ts";
import { uploadsContract } from "./uploads.ts";
import { apiKeysContract, workspacesContract } from "./workspaces.ts";

/** What the management service implements. */
export const managementContract = {
  ads: adsContract,
  advertisers: advertisersContract,
  apiKeys: apiKeysContract,
  checkout: checkoutContract,
  fields: fieldsContract,
  prices: pricesContract,
  tiers: tiersContract,
  uploads: uploadsContract,
  workspaces: workspacesContract,
};

/** Everything below `{base}`. */
export const contract = { ...managementContract, serving: servingContract };

export { servingContract };
