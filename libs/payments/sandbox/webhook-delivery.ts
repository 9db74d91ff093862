import type { FastifyBaseLogger } from "fastify";
import { Stripe } from "stripe";
import type { PendingEvent, State } from "./state.ts";

/** Sends the queued events, one after the other in the order they were made. */
export interface WebhookDelivery {
  /** Starts to deliver there. */
  deliverTo(url: string): void;
  /** Looks for new events now. */
  wake(): void;
  /** Ends after the attempt under way; what is undelivered stays queued. */
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 10_000;
/** Between attempts at one event, in milliseconds: the first pause, doubled each time up to the longest. */
const PAUSES = { first: 100, longest: 30_000 };
/** With the pauses above, half an hour and more. */
const MOST_ATTEMPTS = 70;
/** An endpoint that says no to an event is unlikely to say yes later, and the events behind it wait. */
const MOST_REFUSALS = 8;

/**
 * Delivers the state's events until each is answered with 2xx:
 *
 *     idle ─wake─▶ sending ─2xx─▶ removed, next one ─none left─▶ idle
 *                     └─else─▶ pausing (longer each time) ─▶ sending … ─too often─▶ dropped with an error in the log
 */
export function createWebhookDelivery(
  state: State,
  secret: string,
  logger: FastifyBaseLogger,
  pauses = PAUSES,
): WebhookDelivery {
  const stopping = new AbortController();
  let target: string | undefined;
  let running: Promise<void> | undefined;

  async function deliverAll(url: string): Promise<void> {
    for (let event = state.nextEvent(); event !== undefined; event = state.nextEvent()) {
      const status = await attempt(url, event, secret, stopping.signal);
      if (stopping.signal.aborted && status === undefined) return;
      if (status !== undefined && status >= 200 && status < 300) {
        state.removeEvent(event.sequence);
      } else {
        await handleFailure(event, status);
      }
      if (stopping.signal.aborted) return;
    }
  }

  async function handleFailure(event: PendingEvent, status: number | undefined): Promise<void> {
    const attempts = event.attempts + 1;
    const refused = status !== undefined && status >= 400 && status < 500;
    if (attempts >= (refused ? MOST_REFUSALS : MOST_ATTEMPTS)) {
      logger.error({ event: event.id, attempts, status }, "a sandbox webhook was given up");
      state.removeEvent(event.sequence);
      return;
    }
    state.countAttempt(event.sequence);
    logger.debug({ event: event.id, attempts, status }, "a sandbox webhook will be sent again");
    await pause(Math.min(pauses.first * 2 ** (attempts - 1), pauses.longest), stopping.signal);
  }

  function wake(): void {
    if (target === undefined || running !== undefined || stopping.signal.aborted) return;
    const url = target;
    running = deliverAll(url).then(
      () => {
        running = undefined;
        // An event may have come between the last look and here.
        if (!stopping.signal.aborted && state.nextEvent() !== undefined) wake();
      },
      (error: unknown) => {
        running = undefined;
        logger.error({ error }, "sandbox webhooks stopped; the next event resumes them");
      },
    );
  }

  return {
    deliverTo: (url) => {
      target = url;
      wake();
    },
    wake,
    close: async () => {
      stopping.abort();
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

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stopping.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    stopping.addEventListener("abort", done);
    if (stopping.aborted) done();
  });
}
