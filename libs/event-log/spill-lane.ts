import { join } from "node:path";
import { EventLogError } from "./errors.ts";
import type { SpillBudget } from "./spill-budget.ts";
import { type LaneName, messageOf, newFileName } from "./spill-folder.ts";
import { recordBytes, type SpilledBatch } from "./spill-record.ts";
import { SpillSegment } from "./spill-segment.ts";

/** Written with one wait for the disk at most. */
const GROUP_BYTES = 4 * 1024 * 1024;

/** Where a batch was spilled to. */
export interface SpillPlace {
  readonly segment: SpillSegment;
  readonly number: number;
}

interface WaitingBatch {
  readonly batch: SpilledBatch;
  readonly bytes: number;
  resolve(place: SpillPlace): void;
  reject(error: EventLogError): void;
}

export interface SpillLaneOptions {
  readonly name: LaneName;
  readonly path: string;
  /** A file that has so many bytes is followed by another one. */
  readonly segmentBytes: number;
  /** As is a file that was begun so long ago, in milliseconds. */
  readonly segmentMs: number;
  readonly budget: SpillBudget;
}

/**
 * The batches of one kind, in files from the oldest to the newest; the newest is the one that is written to. They stand in
 * the order of their newest batches, so that none rests behind one that has to rest for longer.
 */
export class SpillLane {
  readonly #options: SpillLaneOptions;
  readonly #sealed: SpillSegment[] = [];
  #active: SpillSegment | null = null;
  #waiting: WaitingBatch[] = [];
  #writing: Promise<void> | null = null;
  #wake: () => void = () => undefined;

  constructor(options: SpillLaneOptions) {
    this.#options = options;
  }

  get segments(): readonly SpillSegment[] {
    return this.#active === null ? this.#sealed : [...this.#sealed, this.#active];
  }

  /** Takes over a file that an earlier process has left. */
  async adopt(file: string): Promise<void> {
    const segment = await SpillSegment.find(file);
    this.#options.budget.take(segment.bytes);
    // What it would still take is newer than what has been found now.
    this.#seal();
    this.#sealed.push(segment);
    this.#wake();
  }

  /**
   * Writes a batch; resolves when it is on the disk. Rejects `UNAVAILABLE` when the spill is full or cannot be written to.
   */
  async write(batch: SpilledBatch): Promise<SpillPlace> {
    const bytes = recordBytes(batch);
    this.#options.budget.reserve(bytes);
    const { promise, resolve, reject } = Promise.withResolvers<SpillPlace>();
    this.#waiting.push({ batch, bytes, resolve, reject });
    this.#writing ??= this.#write();
    return promise;
  }

  /** The oldest file, to which nothing is added any more; waits for one, and gives null when the signal aborts. */
  async oldest(signal: AbortSignal): Promise<SpillSegment | null> {
    while (!signal.aborted) {
      if (this.#sealed.length === 0) this.#seal();
      const segment = this.#sealed[0];
      if (segment !== undefined) {
        await segment.seal();
        return segment;
      }
      await this.#arrival(signal);
    }
    return null;
  }

  /** Forgets a file that has been removed or set aside. */
  forget(segment: SpillSegment): void {
    const index = this.#sealed.indexOf(segment);
    if (index < 0) return;
    this.#sealed.splice(index, 1);
    this.#options.budget.giveBack(segment.bytes);
  }

  /** Finishes what was begun. */
  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    this.#seal();
    for (const segment of this.#sealed) await segment.seal().catch(() => undefined);
  }

  /** All that waits goes together. */
  async #write(): Promise<void> {
    // What this round of the event loop still brings goes along.
    await Promise.resolve();
    for (let group = this.#takeGroup(); group.length > 0; group = this.#takeGroup())
      await this.#writeGroup(group);
    this.#writing = null;
  }

  #takeGroup(): WaitingBatch[] {
    let bytes = 0;
    const tooMany = this.#waiting.findIndex((each) => {
      bytes += each.bytes;
      return bytes > GROUP_BYTES && bytes > each.bytes;
    });
    return this.#waiting.splice(0, tooMany < 0 ? this.#waiting.length : tooMany);
  }

  async #writeGroup(group: readonly WaitingBatch[]): Promise<void> {
    const { name, path, budget } = this.#options;
    try {
      if (this.#active !== null && this.#hasEnough(this.#active)) this.#seal();
      this.#active ??= await SpillSegment.create(join(path, newFileName(name)));
      const segment = this.#active;
      const first = await segment.add(group.map(({ batch }) => batch));
      for (const [index, each] of group.entries()) each.resolve({ segment, number: first + index });
    } catch (cause) {
      await this.#abandon();
      const message = `The spill cannot be written to ${path}: ${messageOf(cause)}.`;
      for (const each of group) {
        budget.giveBack(each.bytes);
        each.reject(new EventLogError("UNAVAILABLE", message, { cause }));
      }
    }
    for (const each of group) budget.written(each.bytes);
    this.#wake();
  }

  #hasEnough({ bytes, begunAt }: SpillSegment): boolean {
    const { segmentBytes, segmentMs } = this.#options;
    return bytes >= segmentBytes || performance.now() - begunAt >= segmentMs;
  }

  /** Nobody knows what the disk holds of a file that a write failed in: nothing is added to it any more. */
  async #abandon(): Promise<void> {
    const failed = this.#active;
    if (failed === null) return;
    // A full disk fails write after write, and each would leave an empty file.
    if (!failed.isEmpty) this.#seal();
    else {
      this.#active = null;
      await failed.remove().catch(() => undefined);
    }
  }

  #seal(): void {
    const segment = this.#active;
    if (segment === null) return;
    this.#sealed.push(segment);
    this.#active = null;
    // Files that wait need not be open. What is in them has reached the disk, whatever becomes of the handle.
    segment.seal().catch(() => undefined);
  }

  async #arrival(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const onAbort = () => resolve();
    signal.addEventListener("abort", onAbort);
    await promise;
    signal.removeEventListener("abort", onAbort);
  }
}
