import { expect, it } from "vitest";
import { keepCheckpoints, type Note, type NotedStore, STORE_NAMES } from "./index.ts";

const WRITES_OF_A_START = 3 * STORE_NAMES.length;

/** The stores of one installation, in which a start can be cut short after some notes. */
class Installation {
  readonly notes = new Map<string, Note>();
  #writesLeft = 0;
  readonly #stores = STORE_NAMES.map(
    (name): NotedStore => ({
      name,
      place: `/data/${name}`,
      readNote: async () => this.notes.get(name) ?? null,
      writeNote: async (note) => {
        if (this.#writesLeft === 0) throw new Error("The power is gone.");
        this.#writesLeft -= 1;
        this.notes.set(name, note);
      },
    }),
  );

  /** Starts, and loses its power after `writes` notes. */
  async start(writes = Number.POSITIVE_INFINITY): Promise<void> {
    this.#writesLeft = writes;
    const checkpoints = await keepCheckpoints({
      stores: this.#stores,
      logEnd: async () => 0,
      otherLosses: [],
      accepted: [],
      onWarning: () => undefined,
    });
    await checkpoints.close();
  }
}

it.each(Array.from({ length: WRITES_OF_A_START }, (_, writes) => writes))(
  "starts after three starts in a row that were cut short after %i notes, new and old",
  async (writes) => {
    const fresh = new Installation();
    const older = new Installation();
    await older.start();

    for (let cut = 0; cut < 3; cut += 1) {
      for (const one of [fresh, older]) await one.start(writes).catch(() => undefined);
    }

    for (const one of [fresh, older]) {
      await expect(one.start()).resolves.toBeUndefined();
      expect(new Set(Array.from(one.notes.values(), ({ checkpoint }) => checkpoint)).size).toBe(1);
    }
  },
);
