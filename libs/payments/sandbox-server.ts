import type { FastifyBaseLogger, FastifyPluginAsync } from "fastify";

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
  /** The hosted pages below `/sandbox`, for the main server. */
  readonly pages: FastifyPluginAsync;
  /** Starts to deliver webhooks there, those first that wait. */
  deliverTo(webhookUrl: string): void;
  /** Finishes the delivery that is under way and closes the state; pending webhooks go out after the next start. */
  close(): Promise<void>;
}
