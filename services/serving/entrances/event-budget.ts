import { type Rate, tooManyRequests } from "#libs/http/index.ts";
import { MinuteCounts } from "../answers/minute-counts.ts";

/**
 * How many events the servers of each workspace may report to this process per minute, so that a key in the wrong hands fills neither
 * Redis with marks of late events nor the statistics. It counts every event of a request, refused ones too, and none of a request
 * that it refuses.
 */
export class EventBudget {
  readonly #perMinute: number;
  readonly #reported: MinuteCounts<string>;

  /** `perMinute` of 0 is no limit. */
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#reported = new MinuteCounts(now);
  }

  /** What is left to a workspace; null without a limit. */
  rateOf(workspaceId: string): Rate | null {
    if (this.#perMinute === 0) return null;
    return {
      limit: this.#perMinute,
      remaining: this.#perMinute - this.#reported.of(workspaceId),
      resetMs: this.#reported.resetMs(),
    };
  }

  /** Counts the events of a request. Throws 429 when fewer are left, and then counts none. */
  take(workspaceId: string, events: number): void {
    const rate = this.rateOf(workspaceId);
    if (rate === null) return;
    if (events > rate.remaining) {
      throw tooManyRequests(
        rate.resetMs,
        `The workspace may report ${rate.limit} events per minute, and ${rate.remaining} are left. Nothing of this request was recorded: send it again after Retry-After.`,
      );
    }
    this.#reported.add(workspaceId, events);
  }
}
