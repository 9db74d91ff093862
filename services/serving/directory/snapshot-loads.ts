import { BoundedQueue, QueuesByKey, SingleFlight } from "#libs/async/index.ts";
import { type AddressKey, unavailable } from "#libs/http/index.ts";
import type { PreparedSnapshot } from "./prepared-snapshot.ts";

type Loaded = PreparedSnapshot | null;

/** A large snapshot takes several times its size until it is cached. */
const LOADED_AT_ONCE = 2;
const RETRY_AFTER_MS = 1_000;
/** Loads that are under way or wait in their callers' lines. */
const MOST_ASKED = { maxKeys: 256, refusal: () => unavailable(RETRY_AFTER_MS) };

/**
 * Loads few workspaces at a time, and one for each caller: who asks for many waits behind their own, and nobody else does. Who asks for
 * a workspace that is being loaded shares the result.
 */
export class SnapshotLoads {
  readonly #asked = new SingleFlight<Loaded>(MOST_ASKED);
  readonly #callers = new QueuesByKey({ atOnce: 1 });
  readonly #begun = new SingleFlight<Loaded>();
  readonly #places = new BoundedQueue({ atOnce: LOADED_AT_ONCE });

  /**
   * What `load` finds, or `known` once the caller's turn has come, if that is not undefined by then. Throws `SERVICE_UNAVAILABLE` if
   * too many loads wait.
   */
  async run(
    workspaceId: string,
    caller: AddressKey | "publications",
    { known, load }: { readonly known: () => Loaded | undefined; readonly load: () => Promise<Loaded> },
  ): Promise<Loaded> {
    const begin = () => this.#begun.run(workspaceId, () => this.#places.run(load));
    if (this.#begun.isRunning(workspaceId)) return begin();
    return this.#asked.run(`${caller} ${workspaceId}`, () =>
      this.#callers.run(caller, async () => {
        const found = known();
        return found === undefined ? begin() : found;
      }),
    );
  }
}
