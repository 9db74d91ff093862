import { createHash, createHmac } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { addressKeyOf, conflict, invalidInput } from "#libs/http/index.ts";
import type { Services } from "../services.ts";
import { type Claim, claimKey, keepAnswer, releaseKey } from "./claims.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The idempotency key that this request has to answer for; null where there is none. */
    claim: Claim | null;
  }
}

/** Visible ASCII, as the header's draft has it. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Before a handler: a request whose `Idempotency-Key` has been answered gets that answer again, and the handler does
 * not run. Throws 422 for a malformed key or one that was used for another request, 409 while the first is under way.
 */
export async function answerRepetition(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !KEY.test(key)) {
    throw invalidInput({ formErrors: ["The Idempotency-Key has to be 1 to 255 visible ASCII characters."] });
  }

  const keyed = { caller: await nameCaller(services, request), key, hash: hashRequest(request) };
  const outcome = await claimKey(services.db, keyed, services.now());
  switch (outcome.kind) {
    case "claimed":
      request.claim = outcome.claim;
      return undefined;
    case "under-way":
      throw conflict({ formErrors: ["A request with this Idempotency-Key is under way."] });
    case "other-request":
      throw invalidInput({ formErrors: ["This Idempotency-Key was used for another request."] });
    case "answered":
      return reply
        .code(outcome.status)
        .headers({ "content-type": "application/json", "idempotent-replayed": "true" })
        .send(outcome.body);
  }
}

/**
 * Before an answer leaves: it is kept for repetitions, unless it says that nothing was done and that the same request,
 * or a corrected one, may do better (422, 429, 5xx).
 */
export async function settleClaim(
  { db, logger }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<void> {
  const { claim } = request;
  if (claim === null) return;
  request.claim = null;
  const { statusCode: status } = reply;
  try {
    if (typeof body === "string" && status < 500 && status !== 422 && status !== 429) {
      await keepAnswer(db, claim, { status, body });
    } else {
      await releaseKey(db, claim);
    }
  } catch (error) {
    // What was done is done, and the caller has to hear of it. A repetition within the next minute is a 409.
    logger.warn({ err: error, reqId: request.id }, "could not keep an answer for its idempotency key");
  }
}

/** Public callers are told apart by a hash of the address that cannot be undone once the day's salt is gone. */
async function nameCaller({ limits, now }: Services, request: FastifyRequest): Promise<string> {
  const { granted } = request;
  if (granted !== null) return `${granted.actor.kind}:${granted.actor.id}`;
  const salt = await limits.visitorSalt(new Date(now()).toISOString().slice(0, 10));
  return `public:${createHmac("sha256", salt).update(addressKeyOf(request)).digest("base64url")}`;
}

function hashRequest({ method, url, body }: FastifyRequest): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([method, url, body ?? null]))
    .digest();
}
