import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import { SingleFlight } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { type InboxState, readInboxState } from "./inbox.ts";

export interface InboxPorts {
  readonly db: Kysely<Tables>;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly now: () => number;
}

/**
 * Registers gauges of the webhook inbox, which read the database when they are scraped. While the database is unavailable
 * they are NaN: unknown, not zero.
 */
export function measureInbox({ db, metrics, logger, now }: InboxPorts): void {
  const read = async () => {
    try {
      return await readInboxState(db);
    } catch (error) {
      logger.warn({ err: error }, "the inbox of webhooks could not be measured");
      return null;
    }
  };
  // The gauges of one scrape are collected at the same time, and share one query.
  const reading = new SingleFlight<InboxState | null>();
  const show = (name: string, help: string, value: (state: InboxState) => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const state = await reading.run("inbox", read);
        this.set(state === null ? Number.NaN : value(state));
      },
    });

  show(
    "placard_webhook_events_waiting",
    "Stored webhooks that have not been applied",
    ({ waiting }) => waiting,
  );
  show(
    "placard_webhook_events_dead",
    "Stored webhooks that are not applied until somebody retries them",
    ({ dead }) => dead,
  );
  show(
    "placard_webhook_events_oldest_age_seconds",
    "Age of the oldest webhook that is not applied; 0 for none",
    (state) =>
      state.oldestReceivedAt === null ? 0 : Math.max(0, (now() - state.oldestReceivedAt.getTime()) / 1000),
  );
}
