interface SingleFlightOptions {
  /** Keys with a call in progress at the same time. */
  readonly maxKeys: number;
  /** The error of a call for one key more. */
  readonly refusal: () => Error;
}

/** Runs one call per key at a time. Callers that arrive in the meantime share its result. */
export class SingleFlight<Value> {
  readonly #options: SingleFlightOptions | undefined;
  readonly #running = new Map<string, Promise<Value>>();

  constructor(options?: SingleFlightOptions) {
    this.#options = options;
  }

  /** Whether a call for the key is in progress, so that `run` would share it. */
  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  async run(key: string, work: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    if (this.#options !== undefined && this.#running.size >= this.#options.maxKeys)
      throw this.#options.refusal();
    const begun = work().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }
}
