import { join } from "node:path";
import { createSparingWarnings, type WarnSparingly } from "./sparing-warnings.ts";
import {
  adoptLeftovers,
  type LaneName,
  laneOf,
  messageOf,
  type SpillSlot,
  spillFiles,
} from "./spill-folder.ts";
import type { SpillLane } from "./spill-lane.ts";

/** How often it is looked for what processes that are gone have left. */
const LOOK_EVERY_MS = 30_000;

export interface SpillAdoptionOptions {
  /** The spill's own folder, with all slots. */
  readonly folder: string;
  /** The slot of this process, where everything that is adopted is moved to. */
  readonly slot: SpillSlot;
  /** What is adopted is added to the lane that it was written by. */
  readonly lanes: Readonly<Record<LaneName, SpillLane>>;
  readonly onWarning: (message: string) => void;
}

/** Gives the lanes what earlier processes have left in files, from the start on and until it is closed. */
export class SpillAdoption {
  readonly #options: SpillAdoptionOptions;
  readonly #warn: WarnSparingly;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: SpillAdoptionOptions) {
    this.#options = options;
    this.#warn = createSparingWarnings(options.onWarning);
  }

  /** Adopts what is there, in this process's slot first. Rejects when the folder cannot be read. */
  async open(): Promise<void> {
    const { slot } = this.#options;
    await this.#adopt(spillFiles(slot.path).map((name) => join(slot.path, name)));
    await this.#adoptLeftovers();
    this.#timer = setInterval(() => {
      this.#looking = this.#look();
    }, LOOK_EVERY_MS).unref();
  }

  /** Finishes what was begun. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    try {
      await this.#adoptLeftovers();
    } catch (error) {
      this.#warn(
        `What other processes left in the spill cannot be adopted: ${messageOf(error)}.`,
        "leftovers",
      );
    }
  }

  async #adoptLeftovers(): Promise<void> {
    const { folder, slot } = this.#options;
    await this.#adopt(await adoptLeftovers(folder, slot));
  }

  async #adopt(files: readonly string[]): Promise<void> {
    const { lanes, onWarning } = this.#options;
    for (const file of files) {
      try {
        await lanes[laneOf(file)].adopt(file);
      } catch (error) {
        onWarning(`The spill file ${file} cannot be read and was left as it is: ${messageOf(error)}.`);
      }
    }
  }
}
