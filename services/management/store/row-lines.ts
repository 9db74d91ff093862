import { QueuesByKey } from "#libs/async/index.ts";
import { unavailable } from "#libs/http/index.ts";

const lines = new QueuesByKey({
  atOnce: 1,
  // More than an advertiser or a member asks for at once.
  limit: { mostWaiting: 64, refusal: () => unavailable(1_000) },
});

/**
 * Runs what anybody may ask for and what waits for a row, such as a checkout or a submission for that of its workspace, in a line of its
 * own: at the row each would hold a connection. `id` is the row's. Throws 503 if too much waits.
 */
export function inLineOf<T>(id: string, work: () => Promise<T>): Promise<T> {
  return lines.run(id, work);
}
