// The whole interface: one tree of procedures. Validation, the interface description, the typed client and the tests
// are all made from it.
import { accountContract } from "./account.ts";
import { adsContract } from "./ads.ts";
import { advertisersContract } from "./advertisers.ts";
import { auditContract } from "./audit.ts";
import { checkoutContract } from "./checkout.ts";
import { connectContract } from "./connect.ts";
import { correctionsContract } from "./corrections.ts";
import { fieldsContract } from "./fields.ts";
import { invoicesContract } from "./invoices.ts";
import { invitationsContract, membersContract } from "./members.ts";
import { reportsContract } from "./reports.ts";
import { revenueProcedures } from "./revenue.ts";
import { revisionsContract } from "./revisions.ts";
import { servingContract } from "./serving.ts";
import { settingsContract } from "./settings.ts";
import { statsContract } from "./stats.ts";
import { subscriptionsContract } from "./subscriptions.ts";
import { pricesContract, tiersContract } from "./tiers.ts";
import { trackingKeysContract } from "./tracking-keys.ts";
import { uploadsContract } from "./uploads.ts";
import { apiKeysContract, workspacesContract } from "./workspaces.ts";

/** What the management service implements. */
export const managementContract = {
  account: accountContract,
  ads: adsContract,
  advertisers: advertisersContract,
  apiKeys: apiKeysContract,
  audit: auditContract,
  checkout: checkoutContract,
  connect: connectContract,
  corrections: correctionsContract,
  fields: fieldsContract,
  invitations: invitationsContract,
  invoices: { ...invoicesContract, ...revenueProcedures },
  members: membersContract,
  reports: reportsContract,
  revisions: revisionsContract,
  settings: settingsContract,
  stats: statsContract,
  subscriptions: subscriptionsContract,
  tiers: tiersContract,
  prices: pricesContract,
  trackingKeys: trackingKeysContract,
  uploads: uploadsContract,
  workspaces: workspacesContract,
};

/** Everything below `{base}`. */
export const contract = { ...managementContract, serving: servingContract };

export { servingContract };
