import { randomBytes } from "node:crypto";
import { type FoundStore, findLosses, type Loss, newestNote } from "./losses.ts";
import type { Note, NotedStore, StoreName } from "./note.ts";

export interface CheckpointOptions {
  /** In the order in which their notes are written. */
  readonly stores: readonly NotedStore[];
  /** The newest offset of the event log, 0 for an empty one; null if the log is in Kafka. */
  readonly logEnd: () => Promise<number | null>;
  /** Losses that the notes do not show: damaged parts, a lost deduplication log. */
  readonly otherLosses: readonly Loss[];
  /** Stores whose losses the operator accepts (`ACCEPT_DATA_LOSS`). */
  readonly accepted: readonly StoreName[];
  /** Called with one sentence per accepted loss, and when a note could not be written. */
  readonly onWarning: (message: string, error?: unknown) => void;
  /** Between two checkpoints, in milliseconds. Default 30,000. */
  readonly everyMs?: number;
}

export interface Checkpoints {
  /** Writes the notes once more and ends. */
  close(): Promise<void>;
}

/** Stores lack data that the others remember; the message names each store and says how to continue. */
export class DataLossError extends Error {
  override readonly name = "DataLossError";
  readonly losses: readonly Loss[];

  constructor(losses: readonly Loss[]) {
    const stores = [...new Set(losses.map(({ store }) => store))].join(",");
    super(
      `${losses.map(({ message }) => message).join(" ")} Bring back what is missing, or set ACCEPT_DATA_LOSS=${stores} for one start to continue without it.`,
    );
    this.losses = losses;
  }
}

const EVERY_MS = 30_000;

/**
 * Compares the notes of the stores, gives a new installation its id, and updates the notes from then on. Rejects with
 * `DataLossError`, before anything is written, if a store has a loss that was not accepted.
 */
export async function keepCheckpoints(options: CheckpointOptions): Promise<Checkpoints> {
  const { stores, accepted, onWarning } = options;
  const found = await Promise.all(stores.map(findStore));
  const losses = [...findLosses(found, await options.logEnd()), ...options.otherLosses];
  const unaccepted = losses.filter(({ store }) => !accepted.includes(store));
  if (unaccepted.length > 0) throw new DataLossError(unaccepted);
  for (const { message } of losses) onWarning(`${message} This was accepted (ACCEPT_DATA_LOSS).`);

  const keeper = new Keeper(options, newestNote(found));
  // A start that was cut short has left them apart: several of those in a row must not put them further apart.
  if (!areAlike(found)) await keeper.write({ again: true });
  // Two notes before the first request: with the first alone an installation still counts as new.
  await keeper.write();
  await keeper.write();
  return keeper.start();
}

function areAlike(stores: readonly FoundStore[]): boolean {
  return new Set(stores.map(({ note }) => note?.checkpoint)).size <= 1;
}

async function findStore(store: NotedStore): Promise<FoundStore> {
  return { name: store.name, place: store.place, note: await store.readNote() };
}

class Keeper {
  readonly #options: CheckpointOptions;
  readonly #installation: string;
  #checkpoint: number;
  #logEnd = -1;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isWarned = false;

  constructor(options: CheckpointOptions, newest: Note | null) {
    this.#options = options;
    this.#installation = newest?.installation ?? randomBytes(16).toString("hex");
    this.#checkpoint = newest?.checkpoint ?? 0;
  }

  /**
   * One store after the other; a store that fails keeps its older note, and the next checkpoint tries again. `again` writes
   * the newest checkpoint instead of a new one.
   */
  async write({ again = false } = {}): Promise<void> {
    const logEnd = (await this.#options.logEnd()) ?? 0;
    const checkpoint = again ? Math.max(1, this.#checkpoint) : this.#checkpoint + 1;
    const note = { installation: this.#installation, checkpoint, logEnd };
    for (const store of this.#options.stores) await store.writeNote(note);
    // Only after all stores: while one is away, the others must not get more than one checkpoint ahead of it.
    this.#checkpoint = checkpoint;
    this.#logEnd = logEnd;
  }

  start(): Checkpoints {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#writeIfNews());
    }, this.#options.everyMs ?? EVERY_MS);
    this.#timer.unref();
    return {
      close: async () => {
        clearInterval(this.#timer);
        await this.#running;
        await this.#writeIfNews();
      },
    };
  }

  /** An idle installation writes nothing. */
  async #writeIfNews(): Promise<void> {
    try {
      const logEnd = await this.#options.logEnd();
      if (logEnd === this.#logEnd) return;
      await this.write();
      this.#isWarned = false;
    } catch (error) {
      // The store's own health check reports that it is away; one warning is enough here.
      if (!this.#isWarned)
        this.#options.onWarning("The stores could not note how far they have come.", error);
      this.#isWarned = true;
    }
  }
}
