import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { Stripe } from "stripe";
import { listenOnLoopback } from "#libs/process/ports.ts";

export const SECRET_KEY = "sk_test_of_these_tests_only";
export const WEBHOOK_SECRET = "whsec_of_these_tests_only";

/**
 * - `open`: every call goes through
 * - `gone`: connections are cut, as when nothing listens
 * - `failing`: every call is answered with a 500 and reaches nobody
 * - `limiting`: every call is answered with a 429 and reaches nobody
 * - `silent`: no call is answered, and none reaches anybody
 * - `poor`: refunds are refused, as in an account without enough balance, and everything else goes through
 * - `mute`: calls go through, and what they achieved is answered with a 500
 * - `mute to writes`: likewise, but what only reads is answered
 */
export type PassageState =
  | "open"
  | "gone"
  | "failing"
  | "limiting"
  | "silent"
  | "poor"
  | "mute"
  | "mute to writes";

/** An answer that is on its way and does not arrive before it is released. */
export interface HeldAnswer {
  /** Resolves when the processor has answered. */
  readonly given: Promise<void>;
  release(): void;
}

/** The way from the service to the payment sandbox, which a test can close. */
export interface Processor {
  readonly host: string;
  readonly port: number;
  /** Straight to the sandbox, whatever the state: what somebody does in the processor's own dashboard. */
  readonly stripe: Stripe;
  /** Runs `act` in that state, then opens the way again. */
  while<T>(state: PassageState, act: () => Promise<T>): Promise<T>;
  /** What was asked in a connected account so far, such as `GET /v1/subscriptions`. */
  askedIn(account: string): readonly string[];
  /** How many calls have been met with silence so far. */
  ignored(): number;
  /** Holds the answer to the next call. */
  holdNextAnswer(): HeldAnswer;
  /** Lets a later write go through, and loses its answer: 1 is the next write. */
  loseAnswerToWrite(which: number): void;
  /** From now on the processor says this of a subscription, beside all that the sandbox says; null ends that. */
  pretend(subscriptionId: string, said: Readonly<Record<string, unknown>> | null): void;
  close(): Promise<void>;
}

/** Opens a way to the sandbox at that address. */
export async function openProcessor(sandbox: { host: string; port: number }): Promise<Processor> {
  let state: PassageState = "open";
  let writesUntilLoss = 0;
  let ignored = 0;
  const holds: (() => Promise<void>)[] = [];
  const pretences = new Map<string, Readonly<Record<string, unknown>>>();

  const asked: { readonly account: unknown; readonly call: string }[] = [];

  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?");
    asked.push({ account: request.headers["stripe-account"], call: `${request.method} ${path}` });
    if (state === "gone") request.socket.destroy();
    else if (state === "failing") fail(response, 500);
    else if (state === "limiting") fail(response, 429);
    else if (state === "silent") ignore(request);
    else if (state === "poor" && isRefund(request)) refuseForBalance(request, response);
    else void answer(request, response, isMute(state, request));
  });
  function ignore(request: IncomingMessage): void {
    request.resume();
    ignored += 1;
  }
  async function answer(request: IncomingMessage, response: ServerResponse, mute: boolean): Promise<void> {
    const held = holds.shift();
    const isLost = request.method !== "GET" && writesUntilLoss > 0 && --writesUntilLoss === 0;
    try {
      const { status, headers, body } = await passOn(sandbox, request);
      await held?.();
      if (mute || isLost) fail(response, 500);
      else response.writeHead(status, headers).end(rewrite(body, pretences));
    } catch {
      request.socket.destroy();
    }
  }

  const port = await listenOnLoopback(server);
  return {
    host: "127.0.0.1",
    port,
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
    askedIn: (account) => asked.flatMap((one) => (one.account === account ? [one.call] : [])),
    ignored: () => ignored,
    holdNextAnswer: () => {
      const given = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      holds.push(async () => {
        given.resolve();
        await released.promise;
      });
      return { given: given.promise, release: released.resolve };
    },
    loseAnswerToWrite: (which) => {
      writesUntilLoss = which;
    },
    pretend: (subscriptionId, said) => {
      if (said === null) pretences.delete(subscriptionId);
      else pretences.set(subscriptionId, said);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function isMute(state: PassageState, { method }: IncomingMessage): boolean {
  return state === "mute" || (state === "mute to writes" && method !== "GET");
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function passOn(
  { host, port }: { host: string; port: number },
  request: IncomingMessage,
): Promise<Answer> {
  const { method, url, headers } = request;
  const onward = send({ host, port, method, path: url, headers });
  request.pipe(onward);
  const [given]: IncomingMessage[] = await once(onward, "response");
  if (given === undefined) throw new Error("the sandbox did not answer");
  const body = (await given.toArray()).join("");
  const kept = Object.entries(given.headers).filter(
    ([name, value]) => typeof value === "string" && /^(content-type|request-id|stripe-|idempot)/.test(name),
  );
  return {
    status: given.statusCode ?? 502,
    headers: Object.fromEntries(kept.map(([n, v]) => [n, String(v)])),
    body,
  };
}

/** The answer with what is pretended of the subscriptions in it. */
function rewrite(body: string, pretences: ReadonlyMap<string, Readonly<Record<string, unknown>>>): string {
  if (pretences.size === 0) return body;
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("id" in value) || !("object" in value)) return value;
    if (value.object !== "subscription" || typeof value.id !== "string") return value;
    const said = pretences.get(value.id);
    return said === undefined ? value : { ...value, ...said };
  });
}

function isRefund({ method, url }: IncomingMessage): boolean {
  return method === "POST" && url === "/v1/refunds";
}

function refuseForBalance(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(400, { "content-type": "application/json" });
  const message = "Insufficient funds in Stripe account.";
  response.end(
    JSON.stringify({ error: { type: "invalid_request_error", code: "balance_insufficient", message } }),
  );
}

function fail(response: ServerResponse, status: 429 | 500): void {
  const type = status === 429 ? "rate_limit_error" : "api_error";
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { type, message: "Something is wrong here." } }));
}
