import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { createPayments, type Payments, type PaymentsOptions } from "../index.ts";

export const SECRET_KEY = "sk_test_never_shown";
export const WEBHOOK_SECRET = "whsec_never_shown";

/** Payments on a processor that behaves as the listener does; both end with the test. */
export async function paymentsOn(
  listener: RequestListener,
  options: Partial<PaymentsOptions> = {},
): Promise<{ payments: Payments; stop(): Promise<void> }> {
  const server = createServer(listener);
  const port = await listenOnLoopback(server);
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  };
  onTestFinished(stop);
  const payments = createPayments({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    host: "127.0.0.1",
    port,
    protocol: "http",
    retries: 0,
    ...options,
  });
  return { payments, stop };
}

/** Answers every request with that status and body. */
export function answerWith(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_request, response) => send(response, status, JSON.stringify(body), headers);
}

/** Answers every request with an error in Stripe's form. */
export function refuseWith(
  status: number,
  error: object,
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return answerWith(status, { error }, headers);
}

/** Sends a whole answer. */
export function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_1", ...headers });
  response.end(body);
}
