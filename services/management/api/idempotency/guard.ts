import { createHash, createHmac } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import { addressKeyOf, conflict, invalidInput } from "#libs/http/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import { isMemberAccess } from "../access/granted.ts";
import { canonicalJson } from "./canonical-json.ts";
import { type Claim, claimKey, keepAnswer, releaseKey } from "./claims.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The idempotency key that this request has to answer for; null where there is none. */
    claim: Claim | null;
  }
}

/** The bytes of answers that are kept for a caller, over all endpoints: a request of a few bytes may show all that was stored before. */
export const KEPT_BYTES: RateRule = {
  name: "kept-answers",
  points: 128 * 1024 * 1024,
  durationSeconds: 24 * 60 * 60,
};

export interface IdempotencyPorts {
  readonly db: Kysely<Tables>;
  /** Has the day's salt, under which callers without a credential are stored. */
  readonly limits: Pick<Limits, "visitorSalt" | "consume">;
  readonly now: () => number;
}

type RequestInWorkspace = FastifyRequest<{ Params: { workspaceId?: string } }>;

/** Visible ASCII, as in the draft of the header. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Before a handler: sends the kept answer if a request to the endpoint with this `Idempotency-Key` was answered before. Throws
 * 422 for a malformed key or one that was used for another request, 409 while the first request is running or if its answer was
 * not kept.
 */
export async function answerRepetition(
  ports: IdempotencyPorts,
  endpoint: string,
  request: RequestInWorkspace,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !KEY.test(key)) {
    throw invalidInput("IDEMPOTENCY_KEY_MALFORMED", {
      formErrors: ["The Idempotency-Key must be 1 to 255 visible ASCII characters."],
    });
  }

  const keyed = {
    caller: `${await nameCaller(ports, request)}/${endpoint}`,
    key,
    hash: hashRequest(request),
  };
  const outcome = await claimKey(ports.db, keyed, ports.now());
  switch (outcome.kind) {
    case "claimed":
      request.claim = outcome.claim;
      return undefined;
    case "under-way":
      throw conflict("IDEMPOTENCY_KEY_IN_USE", {
        formErrors: ["A request with this Idempotency-Key is under way."],
      });
    case "other-request":
      throw invalidInput("IDEMPOTENCY_KEY_REUSED", {
        formErrors: ["This Idempotency-Key was used for another request."],
      });
    case "answered":
      if (outcome.body === null) {
        throw conflict("IDEMPOTENCY_ANSWER_NOT_KEPT", {
          formErrors: [
            `This request was done, and answered with ${outcome.status}. Read what it changed again.`,
          ],
        });
      }
      return reply
        .code(outcome.status)
        .headers({ "content-type": "application/json", "idempotent-replayed": "true" })
        .send(outcome.body);
  }
}

/**
 * Before an answer is sent: keeps it for repetitions if the request succeeded, without its body where those of the caller take too
 * many bytes. A refusal changed nothing, and the same request may succeed later, so it releases the key.
 */
export async function settleClaim(
  { db, limits, logger }: IdempotencyPorts & { readonly logger: Logger },
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<void> {
  const { claim } = request;
  if (claim === null) return;
  request.claim = null;
  const { statusCode: status } = reply;
  try {
    if (typeof body === "string" && status < 400) {
      const { allowed } = await limits.consume(KEPT_BYTES, ownerOf(claim), Buffer.byteLength(body));
      await keepAnswer(db, claim, { status, body: allowed ? body : null });
    } else {
      await releaseKey(db, claim);
    }
  } catch (error) {
    // The change is made, so the caller must get the answer. A repetition within the next minute gets 409.
    logger.warn({ err: error, reqId: request.id }, "could not keep an answer for its idempotency key");
  }
}

/**
 * Whose keys are told apart: a workspace's, a person's where no workspace is named. What anybody may call answers with a secret, so
 * there they are those of a workspace and an address, by a hash that cannot be reversed once the day's salt is gone.
 */
async function nameCaller({ limits, now }: IdempotencyPorts, request: RequestInWorkspace): Promise<string> {
  const { granted } = request;
  if (granted !== null) return isMemberAccess(granted) ? granted.workspaceId : granted.actor.id;
  const salt = await limits.visitorSalt(new Date(now()).toISOString().slice(0, 10));
  return `${request.params.workspaceId ?? ""}/${createHmac("sha256", salt).update(addressKeyOf(request)).digest("base64url")}`;
}

function ownerOf({ caller }: Claim): string {
  return caller.slice(0, caller.lastIndexOf("/"));
}

/** What makes two requests the same: white space and the order of keys in the body do not count. */
function hashRequest({ method, url, headers, body }: FastifyRequest): Buffer {
  const condition = headers["if-match"];
  const request = [method, url, body ?? null, ...(condition === undefined ? [] : [condition])];
  return createHash("sha256").update(canonicalJson(request)).digest();
}
