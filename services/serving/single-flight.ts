import { unavailable } from "#libs/http/index.ts";

const RETRY_AFTER_MS = 1_000;

/** Runs one piece of work a key at a time; whoever asks while it runs gets its outcome. */
export class SingleFlight<Value> {
  readonly #maxAtOnce: number;
  readonly #running = new Map<string, Promise<Value>>();

  constructor(maxAtOnce = 256) {
    this.#maxAtOnce = maxAtOnce;
  }

  /** Throws `SERVICE_UNAVAILABLE` when too much is running already. */
  async run(key: string, work: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    if (this.#running.size >= this.#maxAtOnce) throw unavailable(RETRY_AFTER_MS);
    const begun = work().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }
}
