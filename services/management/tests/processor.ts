import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { Stripe } from "stripe";

export const SECRET_KEY = "sk_test_of_these_tests_only";
export const WEBHOOK_SECRET = "whsec_of_these_tests_only";

/**
 * - `open`: every call goes through
 * - `gone`: connections are cut, as when nothing listens
 * - `failing`: every call is answered with a 500 and reaches nobody
 * - `mute`: calls go through, and what they achieved is answered with a 500
 */
export type PassageState = "open" | "gone" | "failing" | "mute";

/** The way from the service to the payment sandbox, which a test can close. */
export interface Processor {
  readonly host: string;
  readonly port: number;
  /** Straight to the sandbox, whatever the state: what somebody does in the processor's own dashboard. */
  readonly stripe: Stripe;
  /** Runs `act` in that state, then opens the way again. */
  while<T>(state: PassageState, act: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens a way to the sandbox at that address. */
export async function openProcessor(sandbox: { host: string; port: number }): Promise<Processor> {
  let state: PassageState = "open";
  const server = createServer((request, response) => {
    if (state === "gone") request.socket.destroy();
    else if (state === "failing") fail(response);
    else passOn(sandbox, request, response, state === "mute");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the passage does not listen");
  return {
    host: "127.0.0.1",
    port: address.port,
    stripe: new Stripe(SECRET_KEY, {
      host: sandbox.host,
      port: sandbox.port,
      protocol: "http",
      telemetry: false,
    }),
    while: async (during, act) => {
      state = during;
      try {
        return await act();
      } finally {
        state = "open";
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function passOn(
  { host, port }: { host: string; port: number },
  request: IncomingMessage,
  response: ServerResponse,
  mute: boolean,
): void {
  const { method, url, headers } = request;
  const onward = send({ host, port, method, path: url, headers }, (answer) => {
    if (mute) {
      answer.resume().on("end", () => fail(response));
    } else {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }
  });
  onward.on("error", () => request.socket.destroy());
  request.pipe(onward);
}

function fail(response: ServerResponse): void {
  response.writeHead(500, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { type: "api_error", message: "Something is wrong here." } }));
}
