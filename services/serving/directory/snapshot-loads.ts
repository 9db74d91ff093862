import { FairTurns, SingleFlight } from "#libs/async/index.ts";
import { type AddressKey, siteOf } from "#libs/http/index.ts";
import type { PreparedSnapshot } from "./prepared-snapshot.ts";

type Loaded = PreparedSnapshot | null;

/** A large snapshot takes several times its size until it is cached. */
const LOADED_AT_ONCE = 2;

/**
 * Loads two workspaces at a time, and one per caller, so a caller who asks for many delays only themselves; all networks of a site are one
 * caller. Callers share the load of one workspace.
 */
export class SnapshotLoads {
  readonly #turns = new FairTurns(LOADED_AT_ONCE);
  readonly #asked = new SingleFlight<Loaded>();
  readonly #begun = new SingleFlight<Loaded>();

  /**
   * What `load` finds, or `known` once the caller's turn has come, if that is not undefined by then. `LookupLimiter` bounds what waits for
   * a caller, and publications ask only for what is cached.
   */
  async run(
    workspaceId: string,
    caller: AddressKey | "publications",
    { known, load }: { readonly known: () => Loaded | undefined; readonly load: () => Promise<Loaded> },
  ): Promise<Loaded> {
    const begin = () => this.#begun.run(workspaceId, load);
    if (this.#begun.isRunning(workspaceId)) return begin();
    const party = caller === "publications" ? caller : (siteOf(caller) ?? caller);
    return this.#asked.run(`${party} ${workspaceId}`, () =>
      this.#turns.run(party, async () => {
        const found = known();
        return found === undefined ? await begin() : found;
      }),
    );
  }
}
