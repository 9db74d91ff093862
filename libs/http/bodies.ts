import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, RequestPayload } from "fastify";
import { type AddressKey, addressKeyOf } from "./address-key.ts";
import { FairBytes, type Holding, holderOf } from "./fair-bytes.ts";
import { httpError, tooManyRequests } from "./http-error.ts";
import { hasBody } from "./small-pieces.ts";

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
/** Counted for each piece that a body arrives in: a body in small ones takes far more than its length. */
const PIECE_BYTES = 128;
const CHECK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 1_000;
const TOO_MANY = "Too many bodies are under way from your network. Try again later.";

/** A body that has begun to arrive. */
interface Body extends Holding {
  readonly payload: RequestPayload;
  lastByteAt: number;
}

/**
 * Bounds what the bodies that are arriving take in memory (`FairBytes`): one too many ends with 429. A body that stalls is cut
 * off with 408. The oldest body is the slowest, so honest ones are the last to go.
 */
export function boundBodies(app: FastifyInstance, bounds: BodyBounds = BOUNDS): void {
  const { mostBytes, stalledAfterMs } = bounds;
  const bodies = new FairBytes<Body>(mostBytes, (body) =>
    refuse(body, tooManyRequests(RETRY_AFTER_MS, TOO_MANY)),
  );
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

  function begin(payload: RequestPayload, from: AddressKey): void {
    const body: Body = {
      holder: holderOf(from),
      payload,
      bytes: REQUEST_BYTES,
      lastByteAt: performance.now(),
    };
    payload.on("data", (piece: Buffer) => {
      body.lastByteAt = performance.now();
      bodies.grow(body, piece.length + PIECE_BYTES);
    });
    payload.once("end", () => bodies.delete(body));
    payload.once("close", () => bodies.delete(body));
    payload.on("error", () => bodies.delete(body));
    // The first byte comes with a later turn, when somebody listens for the refusal.
    bodies.add(body);
  }

  function cutOffStalled(): void {
    const before = performance.now() - stalledAfterMs;
    for (const body of bodies)
      if (body.lastByteAt < before && bodies.delete(body)) refuse(body, httpError("REQUEST_TIMEOUT"));
  }
}

/**
 * Ends a body that is no longer counted. Its reader takes this for the end, forgets what has arrived and answers; Fastify closes the
 * connection.
 */
function refuse({ payload }: Body, error: Error): void {
  process.nextTick(() => payload.emit("error", error));
}
