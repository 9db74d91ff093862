import { EventLogError } from "../errors.ts";
import type { EventBatch, RepeatableLog } from "../port.ts";

/** Below what Kafka takes as one message. */
const MAX_BYTES = 512 * 1024;

interface Part {
  readonly batch: EventBatch;
  readonly end: PromiseWithResolvers<void>;
}

/**
 * Replays batches of one retry token together while an earlier replay of that token is in progress: batches that came while an
 * engine was away are small, and many.
 */
export class GatheredAppends implements Pick<RepeatableLog, "append"> {
  readonly #log: Pick<RepeatableLog, "append">;
  /** What waits, by token. A token is here while an append of it is in progress. */
  readonly #waiting = new Map<string, Part[]>();

  constructor(log: Pick<RepeatableLog, "append">) {
    this.#log = log;
  }

  append(batch: EventBatch, retryToken = ""): Promise<void> {
    const part = { batch, end: Promise.withResolvers<void>() };
    const waiting = this.#waiting.get(retryToken);
    if (waiting !== undefined) waiting.push(part);
    else {
      const parts = [part];
      this.#waiting.set(retryToken, parts);
      void this.#appendAll(retryToken, parts);
    }
    return part.end.promise;
  }

  async #appendAll(retryToken: string, waiting: Part[]): Promise<void> {
    for (let group = takeGroup(waiting); group.length > 0; group = takeGroup(waiting)) {
      try {
        await this.#log.append(joined(group), retryToken);
        for (const { end } of group) end.resolve();
      } catch (error) {
        // One of them may be the reason: each gets an outcome of its own.
        if (group.length > 1 && error instanceof EventLogError && error.code === "REFUSED")
          await this.#appendEach(retryToken, group);
        else for (const { end } of group) end.reject(error);
      }
    }
    this.#waiting.delete(retryToken);
  }

  async #appendEach(retryToken: string, group: readonly Part[]): Promise<void> {
    for (const { batch, end } of group)
      await this.#log.append(batch, retryToken).then(end.resolve, end.reject);
  }
}

function takeGroup(waiting: Part[]): Part[] {
  let bytes = 0;
  const tooMany = waiting.findIndex(({ batch }) => {
    bytes += batch.rows.length;
    return bytes > MAX_BYTES && bytes > batch.rows.length;
  });
  return waiting.splice(0, tooMany < 0 ? waiting.length : tooMany);
}

function joined(group: readonly Part[]): EventBatch {
  return {
    rows: Buffer.concat(group.map(({ batch }) => batch.rows)),
    count: group.reduce((sum, { batch }) => sum + batch.count, 0),
  };
}
