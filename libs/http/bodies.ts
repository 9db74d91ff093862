import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, RequestPayload } from "fastify";
import { type AddressKey, addressKeyOf, siteOf } from "./address-key.ts";
import { httpError, tooManyRequests } from "./http-error.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Bounds a body that is read past Fastify, as all others are: one that is refused emits an `HttpError`. */
    readonly boundBody: (payload: IncomingMessage, from: AddressKey) => void;
  }
  interface FastifyContextConfig {
    /** The handler reads the body itself, under limits of its own. */
    readonly readsBody?: boolean;
  }
}

export interface BodyBounds {
  /** What all bodies under way may take together. */
  readonly mostBytes: number;
  /** How long a body may arrive without another byte, in milliseconds. */
  readonly stalledAfterMs: number;
}

const BOUNDS: BodyBounds = { mostBytes: 64 * 1024 * 1024, stalledAfterMs: 10_000 };
/** Counted for a request whose body has begun, so that the number of bodies is bounded too: 4,096 of them. */
const REQUEST_BYTES = 16 * 1024;
/** Counted for each piece that a body arrives in: a body sent byte by byte takes far more than its length. */
const PIECE_BYTES = 128;
const CHECK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 1_000;
const TOO_MANY = "Too many bodies are under way from your network. Try again later.";

/** A body that has begun to arrive. */
interface Body {
  /** An IPv4 address, or the /48 of an IPv6 one. */
  readonly caller: AddressKey;
  readonly payload: RequestPayload;
  bytes: number;
  lastByteAt: number;
}

/**
 * Bounds what the bodies that are arriving take in memory. Over the bound the caller who has the most under way loses its
 * oldest body, with 429: slow bodies of one network keep no other network's from arriving. A body that stalls is cut off
 * with 408. The oldest body is the slowest, so honest ones are the last to go.
 */
export function boundBodies(app: FastifyInstance, bounds: BodyBounds = BOUNDS): void {
  const { mostBytes, stalledAfterMs } = bounds;
  /** In the order in which they began. */
  const bodies = new Set<Body>();
  const ofCallers = new Map<AddressKey, number>();
  let all = 0;
  let checking: NodeJS.Timeout | undefined;

  app.addHook("onReady", async () => {
    checking = setInterval(cutOffStalled, CHECK_EVERY_MS);
    checking.unref();
  });
  app.addHook("onClose", async () => clearInterval(checking));
  app.addHook("preParsing", (request, _reply: FastifyReply, payload, done) => {
    const isRead = hasBody(request) && request.routeOptions.config.readsBody !== true;
    if (isRead) begin(payload, addressKeyOf(request));
    done();
  });
  app.decorate("boundBody", (payload: IncomingMessage, from: AddressKey) => {
    if (hasBody(payload)) begin(payload, from);
  });

  function begin(payload: RequestPayload, address: AddressKey): void {
    const caller = siteOf(address) ?? address;
    const body: Body = { caller, payload, bytes: 0, lastByteAt: performance.now() };
    bodies.add(body);
    payload.on("data", (piece: Buffer) => {
      body.lastByteAt = performance.now();
      if (bodies.has(body)) grow(body, piece.length + PIECE_BYTES);
    });
    payload.once("end", () => end(body));
    payload.once("close", () => end(body));
    payload.on("error", () => end(body));
    // The first byte comes with a later turn, when somebody listens for the refusal.
    grow(body, REQUEST_BYTES);
  }

  function grow(body: Body, bytes: number): void {
    body.bytes += bytes;
    all += bytes;
    ofCallers.set(body.caller, (ofCallers.get(body.caller) ?? 0) + bytes);
    while (all > mostBytes) refuse(oldestOf(greatestCaller()), tooManyRequests(RETRY_AFTER_MS, TOO_MANY));
  }

  function end(body: Body): void {
    if (!bodies.delete(body)) return;
    all -= body.bytes;
    const left = (ofCallers.get(body.caller) ?? 0) - body.bytes;
    if (left > 0) ofCallers.set(body.caller, left);
    else ofCallers.delete(body.caller);
  }

  function greatestCaller(): AddressKey | undefined {
    let greatest: AddressKey | undefined;
    let most = 0;
    for (const [caller, bytes] of ofCallers) {
      if (bytes <= most) continue;
      greatest = caller;
      most = bytes;
    }
    return greatest;
  }

  function oldestOf(caller: AddressKey | undefined): Body | undefined {
    for (const body of bodies) if (body.caller === caller) return body;
    return undefined;
  }

  function cutOffStalled(): void {
    const before = performance.now() - stalledAfterMs;
    for (const body of bodies) if (body.lastByteAt < before) refuse(body, httpError("REQUEST_TIMEOUT"));
  }

  function refuse(body: Body | undefined, error: Error): void {
    if (body === undefined) return;
    end(body);
    // Whoever reads the body takes this for its end, forgets what has arrived and answers; Fastify closes the connection.
    process.nextTick(() => body.payload.emit("error", error));
  }
}

function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}
