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

/**
 * Answers a request once for its key: the first answer is kept for a day, in the transaction of what it did, and given
 * again to the same request. Another request under the key is refused, and a failure is not kept.
 */
export function answerOnce(
  world: World,
  request: KeyedRequest,
  answer: () => object,
): { readonly answer: object; readonly replayed: boolean } {
  const { key, method, path, body } = request;
  if (key.length > LONGEST_KEY) throw refused(`Idempotency keys have at most ${LONGEST_KEY} characters.`);
  const fingerprint = hash("sha256", `${method} ${path}\n${body}`);
  return world.write(() => {
    const now = world.now();
    const kept = world.state.keptAnswer(key, now - KEPT_SECONDS);
    if (kept === undefined) {
      const fresh = answer();
      world.state.keepAnswer(key, { fingerprint, body: JSON.stringify(fresh) }, now);
      return { answer: fresh, replayed: false };
    }
    if (kept.fingerprint !== fingerprint) {
      throw refused(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    }
    return { answer: JSON.parse(kept.body), replayed: true };
  });
}

function refused(message: string): ApiError {
  return new ApiError(400, { type: "idempotency_error", message });
}
