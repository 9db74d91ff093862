import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createThrottledWarning, type ThrottledWarning } from "#libs/async/index.ts";
import { renameDurably } from "#libs/files/index.ts";
import type { SpillQueueName } from "../port.ts";
import { type FolderLease, lockFolder, messageOf, queueOf, spillFiles } from "./folder.ts";
import type { SpillQueue } from "./queue.ts";

/** How often the folders of dead processes are searched. */
const SEARCH_EVERY_MS = 30_000;

export interface SpillAdoptionOptions {
  /** The spill's folder, which holds those of all processes. */
  readonly folder: string;
  /** The folder of this process, which adopted files are moved to. */
  readonly lease: FolderLease;
  /** An adopted file is added to the queue that wrote it. */
  readonly queues: Readonly<Record<SpillQueueName, SpillQueue>>;
  readonly onWarning: (message: string) => void;
}

/** Adds the files of dead processes to the queues, from the start until it is closed. */
export class SpillAdoption {
  readonly #options: SpillAdoptionOptions;
  readonly #warn: ThrottledWarning;
  #timer: NodeJS.Timeout | undefined;
  #searching: Promise<void> = Promise.resolve();

  constructor(options: SpillAdoptionOptions) {
    this.#options = options;
    this.#warn = createThrottledWarning(options.onWarning);
  }

  /** Adopts all files there are, those of this process's folder first. Rejects when the folder cannot be read. */
  async open(): Promise<void> {
    const { lease } = this.#options;
    await this.#adopt(spillFiles(lease.path).map((name) => join(lease.path, name)));
    await this.#adoptLeftovers();
    this.#timer = setInterval(() => {
      this.#searching = this.#search();
    }, SEARCH_EVERY_MS).unref();
  }

  /** Finishes the adoption in progress. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#searching;
  }

  async #search(): Promise<void> {
    try {
      await this.#adoptLeftovers();
    } catch (error) {
      this.#warn(
        `The spill files of other processes cannot be adopted: ${messageOf(error)}.`,
        undefined,
        "leftovers",
      );
    }
  }

  async #adoptLeftovers(): Promise<void> {
    const { folder, lease } = this.#options;
    await this.#adopt(await adoptLeftovers(folder, lease));
  }

  async #adopt(files: readonly string[]): Promise<void> {
    const { queues, onWarning } = this.#options;
    for (const file of files) {
      try {
        await queues[queueOf(file)].adopt(file);
      } catch (error) {
        onWarning(`The spill file ${file} cannot be read and stays as it is: ${messageOf(error)}.`);
      }
    }
  }
}

/** Moves the files of dead processes to `own`. Returns their new paths. */
async function adoptLeftovers(folder: string, own: FolderLease): Promise<string[]> {
  const adopted: string[] = [];
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!/^\d+$/.test(name) || path === own.path || spillFiles(path).length === 0) continue;
    const lease = lockFolder(path);
    if (lease === null) continue;
    try {
      for (const file of spillFiles(path)) {
        await renameDurably(join(path, file), join(own.path, file));
        adopted.push(join(own.path, file));
      }
    } finally {
      lease.release();
    }
  }
  return adopted;
}
