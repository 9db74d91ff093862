import { BoundedQueue, QueuesByKey } from "#libs/async/index.ts";
import type { AddressKey } from "#libs/http/index.ts";

/** A large snapshot takes several times its size until it is cached. */
const LOADED_AT_ONCE = 2;

/** Loads few workspaces at a time, and one for each caller: who asks for many waits behind their own. */
export class LoadPlaces {
  readonly #places = new BoundedQueue({ atOnce: LOADED_AT_ONCE });
  readonly #callers = new QueuesByKey({ atOnce: 1 });

  /** The result of the load, once it had its place. Without a caller it is one that a publication causes. */
  run<T>(caller: AddressKey | undefined, load: () => Promise<T>): Promise<T> {
    return this.#callers.run(caller ?? "publications", () => this.#places.run(load));
  }
}
