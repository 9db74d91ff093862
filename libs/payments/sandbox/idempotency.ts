import { hash } from "node:crypto";
import { ApiError } from "./api-error.ts";
import type { World } from "./world.ts";

const KEPT_SECONDS = 86_400;
const LONGEST_KEY = 255;

/** A request as idempotency sees it. */
export interface KeyedRequest {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What a request was answered with. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  /** Whether it is the answer to an earlier request. */
  readonly replayed: boolean;
}

/**
 * Answers a request once for its key: the first answer is kept for a day, in the transaction of what it did, and given
 * again to the same request. A refusal is an answer too, though it did nothing. Another request under the key is
 * refused. Keys of different accounts are different keys.
 */
export function answerOnce(world: World, request: KeyedRequest, run: () => object): Answer {
  const { method, path, body } = request;
  if (request.key.length > LONGEST_KEY) {
    throw refused(`Idempotency keys have at most ${LONGEST_KEY} characters.`);
  }
  const key = `${world.account ?? ""} ${request.key}`;
  const fingerprint = hash("sha256", `${method} ${path}\n${body}`);
  const now = world.now();
  const kept = world.state.keptAnswer(key, now - KEPT_SECONDS);
  if (kept !== undefined) {
    if (kept.fingerprint === fingerprint) {
      return { status: kept.status, body: JSON.parse(kept.body), replayed: true };
    }
    throw refused(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${request.key}' if you meant to execute a different request.`,
    );
  }
  const keep = (status: number, answer: object): Answer => {
    world.state.keepAnswer(key, { fingerprint, status, body: JSON.stringify(answer) }, now);
    return { status, body: answer, replayed: false };
  };
  try {
    return world.write(() => keep(200, run()));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return world.write(() => keep(error.status, error.body()));
  }
}

function refused(message: string): ApiError {
  return new ApiError(400, { type: "idempotency_error", message });
}
