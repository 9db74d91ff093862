import { join } from "node:path";
import { EventLogError } from "../errors.ts";
import type { SpillQueueName, SpillQueueState } from "../port.ts";
import type { SpillBudget } from "./budget.ts";
import { messageOf, newFileName } from "./folder.ts";
import { recordBytes, type SpilledBatch } from "./record.ts";
import { SpillSegment } from "./segment.ts";

/** Bytes that are written with one wait for the disk, at most. */
const GROUP_BYTES = 4 * 1024 * 1024;

/** The place of a spilled batch. */
export interface SpillPosition {
  readonly segment: SpillSegment;
  readonly number: number;
}

interface WaitingBatch {
  readonly batch: SpilledBatch;
  readonly bytes: number;
  resolve(position: SpillPosition): void;
  reject(error: EventLogError): void;
}

export interface SpillQueueOptions {
  readonly name: SpillQueueName;
  readonly path: string;
  /** Starts another file when the current one has this many bytes. */
  readonly segmentBytes: number;
  /** Starts another file when the current one is this old, in milliseconds. */
  readonly segmentMs: number;
  readonly budget: SpillBudget;
}

/**
 * Spilled batches of one kind in a queue of files. Batches are appended to the newest file, and the oldest is replayed
 * first. Files are in order of their newest batch, because the quarantine of a file counts from it.
 */
export class SpillQueue {
  readonly #options: SpillQueueOptions;
  readonly #sealed: SpillSegment[] = [];
  #active: SpillSegment | null = null;
  #waiting: WaitingBatch[] = [];
  #writing: Promise<void> | null = null;
  #wake: () => void = () => undefined;

  constructor(options: SpillQueueOptions) {
    this.#options = options;
  }

  get segments(): readonly SpillSegment[] {
    return this.#active === null ? this.#sealed : [...this.#sealed, this.#active];
  }

  /** True without a file. */
  get isEmpty(): boolean {
    return this.#active === null && this.#sealed.length === 0;
  }

  get state(): SpillQueueState {
    const { segments } = this;
    return {
      batches: segments.reduce((sum, { waiting }) => sum + waiting, 0),
      events: segments.reduce((sum, { waitingEvents }) => sum + waitingEvents, 0),
    };
  }

  /** When the oldest batch that waits was spilled, in milliseconds since the epoch; infinite where none waits. */
  get oldestAt(): number {
    const waiting = this.segments.filter((segment) => segment.waiting > 0);
    return Math.min(...waiting.map((segment) => segment.oldestAt));
  }

  /** Adds a file that an earlier process has left. */
  async adopt(file: string): Promise<void> {
    const segment = await SpillSegment.find(file);
    this.#options.budget.take(segment.bytes);
    // Later batches go to a newer file than this one.
    this.#seal();
    this.#sealed.push(segment);
    this.#wake();
  }

  /** Resolves when the batch is durable. Rejects with `UNAVAILABLE` when the spill is full or cannot be written to. */
  async write(batch: SpilledBatch): Promise<SpillPosition> {
    const bytes = recordBytes(batch);
    this.#options.budget.reserve(bytes);
    const { promise, resolve, reject } = Promise.withResolvers<SpillPosition>();
    this.#waiting.push({ batch, bytes, resolve, reject });
    this.#writing ??= this.#write();
    return promise;
  }

  /** Waits for a file and closes it for writing. Null when the signal aborts. */
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

  /** Finishes the writes in progress. */
  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    this.#seal();
    for (const segment of this.#sealed) await segment.seal().catch(() => undefined);
  }

  /** Group commit: batches that wait are written together. */
  async #write(): Promise<void> {
    // Batches of the same turn of the event loop join the group.
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
      await this.#giveUp();
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

  /** After a failed write the content of a file is unknown, so nothing more is added to it. */
  async #giveUp(): Promise<void> {
    const failed = this.#active;
    if (failed === null) return;
    // On a full disk every write fails, and each would leave an empty file.
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
    // A waiting file need not be open. Its content is durable already, so a failed close does not matter.
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
