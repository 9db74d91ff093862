import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Tables } from "#libs/database/tables.ts";
import type { Favicons } from "#libs/favicon/index.ts";
import type { ImageFetcher } from "#libs/guarded-fetch/index.ts";
import type { Limits } from "#libs/limits/index.ts";
import type { Mail } from "#libs/mail/index.ts";
import type { Payments } from "#libs/payments/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import type { People } from "../accounts/people/people.ts";
import type { DefaultLimits } from "../accounts/settings/settings.ts";
import type { CheckoutRates } from "../api/address-limit.ts";
import type { Seals } from "../api/seals.ts";
import type { UnsubscribeTokens } from "../mail/unsubscribe.ts";
import type { Retention } from "../privacy/retention.ts";

/** Everything that management uses; made once in `open.ts`. Rooms take the ports that they need of it. */
export interface Services {
  readonly db: Kysely<Tables>;
  /** The connections that requests of members share. */
  readonly memberDb: Kysely<Tables>;
  readonly people: People;
  readonly stats: StatsStore;
  readonly payments: Payments;
  readonly sales: {
    /** Whether payments are a sandbox, in which no money moves; every page that sells says so. */
    readonly isSandbox: boolean;
    /** Days before the first charge of a price that is not free; null for none. */
    readonly trialDays: number | null;
    /** Whether each workspace sells in a connected account of its own, or all in the platform's. */
    readonly connect: boolean;
  };
  readonly limits: Limits;
  /** What one address may do at checkouts. */
  readonly checkoutRates: CheckoutRates;
  /** The tracking limits of workspaces that set none. */
  readonly usualLimits: DefaultLimits;
  readonly retention: Retention;
  /** The most that one person may own. */
  readonly workspacesPerPerson: number;
  readonly uploads: Uploads;
  /** For the uploads of one workspace, open grants included. */
  readonly uploadQuotaBytes: number;
  /** Only tasks use these three; everything else queues a task. */
  readonly images: ImageFetcher;
  readonly favicons: Favicons;
  readonly mail: Mail;
  /** For the unsubscribe links in reports. */
  readonly unsubscribeTokens: UnsubscribeTokens;
  /** They seal the links by which advertisers share their reports. */
  readonly reportSeals: Seals;
  readonly logger: Logger;
  /** From which duration a request is logged, in milliseconds. */
  readonly slowRequestMs: number;
  readonly metrics: Registry;
  /** Where people and browsers reach the installation, without a trailing slash. */
  readonly publicUrl: URL;
  readonly now: () => number;
}
