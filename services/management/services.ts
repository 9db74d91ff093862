import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { forWorkspace } from "#libs/database/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { Favicons } from "#libs/favicon/index.ts";
import type { ImageFetcher } from "#libs/guarded-fetch/index.ts";
import type { Limits, TrackingLimits } from "#libs/limits/index.ts";
import type { Mail } from "#libs/mail/index.ts";
import type { Payments } from "#libs/payments/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import type { UnsubscribeTokens } from "./mails/unsubscribe/token.ts";
import type { People } from "./people/people.ts";

/** What management works with; made once in the service's main and passed down. */
export interface Services {
  readonly db: Kysely<Tables>;
  readonly people: People;
  readonly stats: StatsStore;
  readonly payments: Payments;
  /** On what terms placements are sold. */
  readonly sales: SalesTerms;
  readonly limits: Limits;
  /** What serving holds for workspaces that set no limits of their own. */
  readonly usualLimits: UsualLimits;
  readonly retention: Retention;
  /** Most workspaces that one person may own. */
  readonly workspacesPerPerson: number;
  readonly uploads: Uploads;
  /** What the uploads of one workspace may take, open grants included. */
  readonly uploadQuotaBytes: number;
  /** For the job that copies images alone; everybody else queues (`image-copies/queue.ts`). */
  readonly images: ImageFetcher;
  /** For the favicon job alone; everybody else queues (`jobs/favicon.ts`). */
  readonly favicons: Favicons;
  /** For the mail job alone; everybody else queues (`jobs/mail.ts`). */
  readonly mail: Mail;
  /** For the links in reports that end them. */
  readonly unsubscribeTokens: UnsubscribeTokens;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Where people and browsers reach the installation, without a trailing slash. */
  readonly publicUrl: URL;
  readonly now: () => number;
}

/** Events a minute of one address for one ad; 0 is no limit. */
export type UsualLimits = Pick<TrackingLimits, "impressionsPerMinute" | "clicksPerMinute">;

/** How long personal data and records of money are kept. */
export interface Retention {
  readonly auditDays: number;
  /** Of checkout sessions that ended without a purchase. */
  readonly checkoutSessionDays: number;
  /** Of invoices of deleted workspaces. */
  readonly moneyRecordYears: number;
}

export interface SalesTerms {
  /** Whether payments are a sandbox, in which no money moves; every page that sells says so. */
  readonly isSandbox: boolean;
  /** Days before the first charge of a price that is not free; null for none. */
  readonly trialDays: number | null;
  /** Whether each workspace sells in a connected account of its own, or all in the platform's. */
  readonly connect: boolean;
}

/** The same with a database that shows the rows of one workspace alone. */
export function inWorkspace(services: Services, workspaceId: string): Services {
  return { ...services, db: forWorkspace(services.db, workspaceId) };
}
