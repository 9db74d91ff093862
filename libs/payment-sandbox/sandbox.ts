import type { FastifyBaseLogger, FastifyPluginAsync } from "fastify";
import { Stripe } from "stripe";
import { createApiServer } from "./api/server.ts";
import { createClock } from "./engine/clock.ts";
import { createEngine } from "./engine/engine.ts";
import { processDue } from "./engine/process-due.ts";
import { addBuiltInCodes } from "./engine/promotions.ts";
import { openState } from "./engine/state.ts";
import { createWebhookDelivery } from "./engine/webhook-delivery.ts";
import { createHostedPages } from "./pages/plugin.ts";

/** The options of a sandbox. */
export interface SandboxOptions {
  /** Holds all its state; created when absent. Only one sandbox may use it at a time. */
  readonly stateFile: string;
  /** The only API key that it accepts. */
  readonly secretKey: string;
  /** Signs its webhooks. */
  readonly webhookSecret: string;
  /** The origin that `pages` are served on. */
  readonly publicUrl: URL;
  readonly logger: FastifyBaseLogger;
  /** Where webhooks go; they wait for `deliverTo` when absent. */
  readonly webhookUrl?: string;
}

/** A running sandbox: give `host`, `port` and `clockAhead` to `createPayments` with `protocol: "http"`, register `pages`. */
export interface Sandbox {
  readonly host: string;
  readonly port: number;
  /** How far its clock is ahead of the machine's, in milliseconds; after `close` how far it was. */
  clockAhead(): number;
  /** The hosted pages and the operator's calls below `/sandbox`, for the main server. */
  readonly pages: FastifyPluginAsync;
  /** Starts to deliver webhooks there, the queued ones first. */
  deliverTo(webhookUrl: string): void;
  /** Finishes the current delivery and closes the state; queued webhooks are sent after the next start. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const PROCESS_EVERY_MS = 5_000;

/** Starts on a free loopback port. Throws one sentence when the state file is damaged or in use by another sandbox. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { logger } = options;
  const state = openState(options.stateFile);
  const delivery = createWebhookDelivery(state.events, options.webhookSecret, logger);
  const engine = createEngine({
    state,
    publicUrl: options.publicUrl,
    apiVersion: Stripe.API_VERSION,
    logger,
    onEvents: delivery.wake,
  });
  engine.write(() => addBuiltInCodes(engine.records, engine.now()));
  const server = createApiServer(engine, options.secretKey, logger);

  const process = () => {
    try {
      processDue(engine);
    } catch (error) {
      logger.error({ error }, "the payment sandbox could not process what is due");
    }
  };
  process();
  const processing = setInterval(process, PROCESS_EVERY_MS);

  let lastAhead: number | null = null;
  const clockAhead = () => lastAhead ?? state.clockOffset() * 1000;
  const close = async () => {
    clearInterval(processing);
    await server.close();
    await delivery.close();
    lastAhead = clockAhead();
    state.close();
  };
  try {
    const address = await server.listen({ host: HOST, port: 0 });
    if (options.webhookUrl !== undefined) delivery.deliverTo(options.webhookUrl);
    return {
      host: HOST,
      port: Number(new URL(address).port),
      clockAhead,
      pages: createHostedPages(engine, options.secretKey, createClock(engine)),
      deliverTo: delivery.deliverTo,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
