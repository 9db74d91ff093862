import type { FastifyBaseLogger, FastifyPluginAsync } from "fastify";
import { createApiServer } from "./sandbox/api-server.ts";
import { createClock } from "./sandbox/clock.ts";
import { createHostedPages } from "./sandbox/hosted-pages.ts";
import { settleWhatIsDue } from "./sandbox/passage-of-time.ts";
import { addStandingCodes } from "./sandbox/promotion-codes.ts";
import { openState } from "./sandbox/state.ts";
import { createWebhookDelivery } from "./sandbox/webhook-delivery.ts";
import { createWorld } from "./sandbox/world.ts";
import { API_VERSION } from "./stripe-version.ts";

/** How a sandbox is set up. */
export interface SandboxOptions {
  /** Holds all its state; made when absent. Only one sandbox may use it at a time. */
  readonly stateFile: string;
  /** The only API key that it takes. */
  readonly secretKey: string;
  /** What its webhooks are signed with. */
  readonly webhookSecret: string;
  /** The origin that `pages` are served on. */
  readonly publicUrl: URL;
  readonly logger: FastifyBaseLogger;
  /** Where webhooks go; they wait for `deliverTo` when absent. */
  readonly webhookUrl?: string;
}

/** A running sandbox: give `host` and `port` to `createPayments` with `protocol: "http"`, register `pages`. */
export interface Sandbox {
  readonly host: string;
  readonly port: number;
  /** The hosted pages and the operator's calls below `/sandbox`, for the main server. */
  readonly pages: FastifyPluginAsync;
  /** Starts to deliver webhooks there, those first that wait. */
  deliverTo(webhookUrl: string): void;
  /** Finishes the delivery that is under way and closes the state; pending webhooks go out after the next start. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const SETTLE_EVERY_MS = 5_000;

/**
 * Starts the sandbox on a free loopback port. Throws one sentence when the state file is damaged or in use by another
 * sandbox.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { logger } = options;
  const state = openState(options.stateFile);
  const delivery = createWebhookDelivery(state.events, options.webhookSecret, logger);
  const world = createWorld({
    state,
    publicUrl: options.publicUrl,
    apiVersion: API_VERSION,
    logger,
    onEvents: delivery.wake,
  });
  world.write(() => addStandingCodes(world.records, world.now()));
  const server = createApiServer(world, options.secretKey, logger);

  const settle = () => {
    try {
      settleWhatIsDue(world);
    } catch (error) {
      logger.error({ error }, "the payment sandbox could not settle what is due");
    }
  };
  settle();
  const settling = setInterval(settle, SETTLE_EVERY_MS);

  const close = async () => {
    clearInterval(settling);
    await server.close();
    await delivery.close();
    state.close();
  };
  try {
    const address = await server.listen({ host: HOST, port: 0 });
    if (options.webhookUrl !== undefined) delivery.deliverTo(options.webhookUrl);
    return {
      host: HOST,
      port: Number(new URL(address).port),
      pages: createHostedPages(world, options.secretKey, createClock(world)),
      deliverTo: delivery.deliverTo,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
