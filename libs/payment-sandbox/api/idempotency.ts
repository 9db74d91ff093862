import { hash } from "node:crypto";
import { ApiError } from "../engine/api-error.ts";
import type { Engine } from "../engine/engine.ts";

const KEPT_SECONDS = 86_400;
const LONGEST_KEY = 255;

export interface KeyedRequest {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly body: object;
  /** Whether this is the answer to an earlier request. */
  readonly replayed: boolean;
}

/**
 * Answers once per key and account: the first answer, a refusal too, is stored with its change and repeated for a day.
 * A different request under the key is refused.
 */
export function answerOnce(engine: Engine, request: KeyedRequest, run: () => object): Answer {
  const { method, path, body } = request;
  if (request.key.length > LONGEST_KEY) {
    throw refused(`Idempotency keys have at most ${LONGEST_KEY} characters.`);
  }
  const key = `${engine.account ?? ""} ${request.key}`;
  const fingerprint = hash("sha256", `${method} ${path}\n${body}`);
  const now = engine.now();
  const kept = engine.state.keptAnswer(key, now - KEPT_SECONDS);
  if (kept !== undefined) {
    if (kept.fingerprint === fingerprint) {
      return { status: kept.status, body: JSON.parse(kept.body), replayed: true };
    }
    throw refused(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${request.key}' if you meant to execute a different request.`,
    );
  }
  const keep = (status: number, answer: object): Answer => {
    engine.state.keepAnswer(key, { fingerprint, status, body: JSON.stringify(answer) }, now);
    return { status, body: answer, replayed: false };
  };
  try {
    return engine.write(() => {
      const answer = run();
      return answer instanceof ApiError ? keep(answer.status, answer.body()) : keep(200, answer);
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return engine.write(() => keep(error.status, error.body()));
  }
}

function refused(message: string): ApiError {
  return new ApiError(400, { type: "idempotency_error", message });
}
