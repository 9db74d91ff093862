import { type FileHandle, open, readFile, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { renameDurably, syncFolder } from "#libs/files/index.ts";
import { encodeRecord, readRecords, type SpilledBatch } from "./record.ts";

/** One append-only file of the spill. It is removed as a whole when all its batches are replayed. */
export class SpillSegment {
  readonly file: string;
  #handle: FileHandle | null;
  #bytes: number;
  /** The number of events of each batch. */
  readonly #counts: number[];
  #oldestAt: number;
  readonly #begunAt = performance.now();
  #addedAt = this.#begunAt;
  #adding: Promise<unknown> = Promise.resolve();
  #onDone: () => void = () => undefined;
  readonly #done = new Set<number>();

  private constructor(
    file: string,
    handle: FileHandle | null,
    found: readonly SpilledBatch[],
    bytes: number,
  ) {
    this.file = file;
    this.#handle = handle;
    this.#bytes = bytes;
    this.#counts = found.map(({ count }) => count);
    this.#oldestAt = found[0]?.spilledAt ?? Number.POSITIVE_INFINITY;
  }

  static async create(file: string): Promise<SpillSegment> {
    const handle = await open(file, "ax", 0o600);
    try {
      await syncFolder(dirname(file));
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new SpillSegment(file, handle, [], 0);
  }

  /** Opens the file of an earlier process for replay only. */
  static async find(file: string): Promise<SpillSegment> {
    const { batches } = readRecords(await readFile(file));
    return new SpillSegment(file, null, batches, (await stat(file)).size);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Batches still to be replayed. */
  get waiting(): number {
    return this.#counts.length - this.#done.size;
  }

  /** Events still to be replayed. */
  get waitingEvents(): number {
    return this.#counts.reduce((sum, count, number) => (this.#done.has(number) ? sum : sum + count), 0);
  }

  /** True when it never had a batch. */
  get isEmpty(): boolean {
    return this.#counts.length === 0;
  }

  /** When the oldest batch was spilled, in milliseconds since the epoch. */
  get oldestAt(): number {
    return this.#oldestAt;
  }

  /** When the file was created or opened, by `performance.now()`. */
  get begunAt(): number {
    return this.#begunAt;
  }

  /** When the newest batch was added, or the file was opened, by `performance.now()`. */
  get addedAt(): number {
    return this.#addedAt;
  }

  /**
   * Appends batches and waits for the disk once: they are durable at its `datasync`. Resolves with the number of the first.
   * After a rejection none of them counts and nothing more may be added, because the content of the disk is unknown.
   */
  async add(batches: readonly SpilledBatch[]): Promise<number> {
    if (this.#handle === null) throw new Error(`The spill file ${this.file} is sealed.`);
    const bytes = Buffer.concat(batches.map(encodeRecord));
    const adding = this.#append(this.#handle, bytes);
    this.#adding = adding.catch(() => undefined);
    await adding;
    this.#addedAt = performance.now();
    const first = this.#counts.length;
    this.#bytes += bytes.length;
    for (const { count, spilledAt } of batches) {
      this.#counts.push(count);
      this.#oldestAt = Math.min(this.#oldestAt, spilledAt);
    }
    return first;
  }

  /** Records that the log has the batch of this number. */
  markDone(number: number): void {
    this.#done.add(number);
    if (this.waiting === 0) this.#onDone();
  }

  /** Calls back when the log has all batches. For a sealed file. */
  onDone(call: () => void): void {
    this.#onDone = call;
    if (this.waiting === 0) call();
  }

  isDone(number: number): boolean {
    return this.#done.has(number);
  }

  /** Finishes the write in progress and closes the file for writing. */
  async seal(): Promise<void> {
    await this.#adding;
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  async read(): Promise<{ batches: readonly SpilledBatch[]; damage: string | null }> {
    const bytes = await readFile(this.file);
    return readRecords(bytes.subarray(0, this.#bytes));
  }

  async remove(): Promise<void> {
    await this.seal();
    await unlink(this.file);
  }

  /** Keeps a damaged file for the operator. Returns its new name. */
  async setAside(): Promise<string> {
    await this.seal();
    const aside = `${this.file}.damaged`;
    await renameDurably(this.file, aside);
    return aside;
  }

  async #append(handle: FileHandle, bytes: Buffer): Promise<void> {
    try {
      await handle.appendFile(bytes);
      await handle.datasync();
    } catch (error) {
      await handle.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
  }
}
