import type { AccountTables } from "./tables-accounts.ts";
import type { AdTables } from "./tables-ads.ts";
import type { BillingTables } from "./tables-billing.ts";
import type { CatalogueTables } from "./tables-catalogue.ts";

/** Every table of ours, as kysely sees it. graphile-worker's live in a schema of their own. */
export interface Tables extends AccountTables, AdTables, BillingTables, CatalogueTables {}
