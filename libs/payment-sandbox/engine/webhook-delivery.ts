import type { FastifyBaseLogger } from "fastify";
import { Stripe } from "stripe";
import { backoffMs } from "#libs/async/index.ts";
import type { EventQueue, PendingEvent } from "./event-queue.ts";

/** Sends the queued events, oldest first; one that fails is retried later and delays no other. */
export interface WebhookDelivery {
  /** Starts to deliver there, beginning with the queued events. */
  deliverTo(url: string): void;
  /** Checks for new events now. */
  wake(): void;
  /** Ends after the current attempt; undelivered events stay queued. */
  close(): Promise<void>;
}

/** The retries of one event; times in milliseconds. */
export interface Retries {
  /** The first backoff; it doubles each time. */
  readonly first: number;
  readonly longest: number;
  readonly most: number;
}

const ANSWER_WITHIN_MS = 10_000;
/** The last attempt comes a good two hours after the first. */
const RETRIES: Retries = { first: 100, longest: 60_000, most: 140 };

/**
 * Delivers each event until it is answered with 2xx, as Stripe does: at least once, and not always in order.
 *
 *     idle ─wake, or an attempt is due─▶ sending ─2xx─▶ removed ─────────────────┐
 *       ▲                                   └─else─▶ due again later, or dropped │
 *       └──────────────────none is due──────────────── next one ◀────────────────┘
 */
export function createWebhookDelivery(
  events: EventQueue,
  secret: string,
  logger: FastifyBaseLogger,
  retries = RETRIES,
): WebhookDelivery {
  const stopping = new AbortController();
  let target: string | undefined;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function deliverAll(url: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const event = events.next(Date.now());
      if (event === undefined) return;
      const status = await attempt(url, event, secret, stopping.signal);
      if (status !== undefined && status >= 200 && status < 300) events.remove(event.sequence);
      else if (!stopping.signal.aborted) postpone(event, status);
    }
  }

  function postpone(event: PendingEvent, status: number | undefined): void {
    const attempts = event.attempts + 1;
    if (attempts >= retries.most) {
      logger.error({ event: event.id, attempts, status }, "gave up a sandbox webhook");
      events.remove(event.sequence);
      return;
    }
    const pauseMs = backoffMs(attempts, { firstMs: retries.first, longestMs: retries.longest });
    events.postpone(event.sequence, Date.now() + pauseMs);
    logger.debug({ event: event.id, attempts, status }, "will retry a sandbox webhook");
  }

  function wake(): void {
    clearTimeout(timer);
    if (target === undefined || running !== undefined || stopping.signal.aborted) return;
    running = deliverAll(target)
      .then(() => {
        running = undefined;
        sleepUntilNext();
      })
      .catch((error: unknown) => {
        running = undefined;
        logger.error({ error }, "sandbox webhooks stopped; the next event restarts them");
      });
  }

  function sleepUntilNext(): void {
    if (stopping.signal.aborted) return;
    // An event may have been queued since the last check; it is due then.
    const at = events.nextAttemptAt();
    if (at !== undefined) timer = setTimeout(wake, Math.max(0, at - Date.now()));
  }

  return {
    deliverTo: (url) => {
      target = url;
      events.hurry();
      wake();
    },
    wake,
    close: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** The status that the endpoint answered with, or undefined when there was no answer. */
async function attempt(
  url: string,
  event: PendingEvent,
  secret: string,
  stopping: AbortSignal,
): Promise<number | undefined> {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: event.payload, secret });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
      body: event.payload,
      redirect: "manual",
      signal: AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
