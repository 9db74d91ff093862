import { Gauge } from "prom-client";
import type { Services } from "../services.ts";
import { type InboxState, readInboxState } from "./waiting.ts";

/**
 * Shows how the inbox of webhooks stands, read from the database when the metrics are asked for. While the database is
 * away the values are not a number: unknown, not zero.
 */
export function measureInbox({
  db,
  metrics,
  logger,
  now,
}: Pick<Services, "db" | "metrics" | "logger" | "now">) {
  const read = oncePerScrape(async () => {
    try {
      return await readInboxState(db);
    } catch (error) {
      logger.warn({ err: error }, "the inbox of webhooks could not be measured");
      return null;
    }
  });
  const show = (name: string, help: string, value: (state: InboxState) => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const state = await read();
        this.set(state === null ? Number.NaN : value(state));
      },
    });

  show("webhook_events_waiting", "Stored webhooks that have not been applied", ({ waiting }) => waiting);
  show(
    "webhook_events_dead",
    "Of those, the ones that nothing will apply unless retried",
    ({ dead }) => dead,
  );
  show("webhook_events_oldest_age_seconds", "Age of the oldest that waits; 0 for none", (state) =>
    state.oldestReceivedAt === null ? 0 : Math.max(0, (now() - state.oldestReceivedAt.getTime()) / 1000),
  );
}

/** The gauges of one scrape are collected at the same time, and share one look at the database. */
function oncePerScrape<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
