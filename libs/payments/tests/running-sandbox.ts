import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fastify } from "fastify";
import { pino } from "pino";
import { Stripe } from "stripe";
import { vi } from "vitest";
import { startSandbox } from "#libs/payment-sandbox/index.ts";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { createPayments, type Payments, type PaymentsEvent } from "../index.ts";

export const SECRET_KEY = "sk_test_sandbox";
export const WEBHOOK_SECRET = "whsec_sandbox";

/** A webhook endpoint that checks every delivery with the adapter; `answer` may refuse some. */
export interface Inbox {
  readonly url: string;
  readonly events: PaymentsEvent[];
  /** Resolves with the first event of the type. */
  receive(type: string): Promise<PaymentsEvent>;
  close(): Promise<void>;
}

export async function openInbox(answer: (attempt: number) => number = () => 200): Promise<Inbox> {
  const payments = createPayments({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET });
  const events: PaymentsEvent[] = [];
  let attempts = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    attempts += 1;
    const status = answer(attempts);
    const signature = request.headers["stripe-signature"];
    if (status === 200) events.push(payments.parseWebhook(body, String(signature)));
    response.writeHead(status).end();
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    events,
    receive: (type) =>
      vi.waitUntil(() => events.find((event) => event.type === type), { timeout: 10_000, interval: 5 }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface Payer {
  readonly email: string;
  readonly name?: string;
  /** The last four digits of one of the sandbox's cards. */
  readonly card?: string;
  readonly promotionCode?: string;
}

/** A sandbox with its pages on a server of their own. */
export interface RunningSandbox {
  readonly payments: Payments;
  readonly apiUrl: string;
  /** Where the hosted pages are. */
  readonly pagesUrl: string;
  readonly stateFile: string;
  /** The official SDK on the sandbox. */
  readonly stripe: Stripe;
  deliverTo(url: string): void;
  /** Pays on the hosted page, as a program does. */
  pay(url: string, payer?: Payer): Promise<Response>;
  /** Refunds a charge: all that is left of it without an amount. */
  refund(
    chargeId: string,
    terms?: { readonly amount?: number; readonly reason?: string },
  ): Promise<Stripe.Refund>;
  /** Creates a code that takes this percentage off the first payment. */
  createPromotionCode(percentOff: number): Promise<string>;
  /** Completes the onboarding. */
  setUp(url: string): Promise<Response>;
  /** Posts JSON to a hosted page or an operator's call. */
  post(path: string, fields?: object): Promise<Response>;
  /** Advances the sandbox's clock. */
  advance(days: number): Promise<void>;
  /** Disputes a charge, as the customer does at their bank. */
  dispute(chargeId: string): Promise<Response>;
  /** Closes it and starts another one on the same state, which is free in between. */
  restart(between?: () => void): Promise<void>;
  close(): Promise<void>;
}

/** On the state given, or on a new one that is removed with it. */
export async function runSandbox(given?: string): Promise<RunningSandbox> {
  const folder = given === undefined ? await mkdtemp(join(tmpdir(), "sandbox-")) : undefined;
  const stateFile = given ?? join(folder ?? "", "payments.db");
  let open = await openSandbox(stateFile);
  const post = (path: string, fields: object = {}) =>
    fetch(new URL(path, open.pagesUrl), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
  return {
    get pagesUrl() {
      return open.pagesUrl;
    },
    get stripe() {
      return open.stripe;
    },
    post,
    dispute: (chargeId) => post(`/sandbox/charges/${chargeId}/dispute`),
    advance: async (days) => {
      const response = await post("/sandbox/clock/advance", { days });
      const { arrived } = await response.json();
      if (arrived !== true) throw new Error(`The clock did not go on by ${days} days.`);
    },
    get payments() {
      return open.payments;
    },
    get apiUrl() {
      return `http://${open.sandbox.host}:${open.sandbox.port}`;
    },
    stateFile,
    deliverTo: (url) => open.sandbox.deliverTo(url),
    pay: (url, payer = { email: "ads@harbour.example", name: "Harbour Coffee" }) =>
      post(`${new URL(url).pathname}/complete`, payer),
    refund: async (chargeId, terms) => (await post(`/sandbox/charges/${chargeId}/refund`, terms)).json(),
    createPromotionCode: async (percentOff) => {
      const code = `OWN-${crypto.randomUUID()}`;
      const created = await post("/sandbox/promotion-codes", { code, percentOff });
      if (!created.ok) throw new Error(`Creating a promotion code was answered with ${created.status}.`);
      return code;
    },
    setUp: (url) => post(`${new URL(url).pathname}/complete`),
    restart: async (between) => {
      await open.close();
      between?.();
      open = await openSandbox(stateFile);
    },
    close: async () => {
      await open.close();
      if (folder !== undefined) await rm(folder, { recursive: true });
    },
  };
}

async function openSandbox(stateFile: string) {
  const app = fastify();
  const publicUrl = new URL("http://127.0.0.1/");
  const sandbox = await startSandbox({
    stateFile,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl,
    logger: pino({ level: "silent" }),
  });
  await app.register(sandbox.pages);
  const pagesUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  // Known only now, and read when a session is made.
  publicUrl.port = new URL(pagesUrl).port;
  const payments = createPayments({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    host: sandbox.host,
    port: sandbox.port,
    protocol: "http",
    clockAhead: sandbox.clockAhead,
    applicationFeePercent: 2.5,
  });
  const stripe = new Stripe(SECRET_KEY, {
    host: sandbox.host,
    port: sandbox.port,
    protocol: "http",
    telemetry: false,
    maxNetworkRetries: 0,
  });
  const close = async () => {
    await app.close();
    await sandbox.close();
  };
  return { sandbox, payments, stripe, pagesUrl, close };
}
