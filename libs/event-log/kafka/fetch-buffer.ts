import { Arrivals } from "../arrivals.ts";
import type { EventLogError } from "../errors.ts";
import type { Offset, ReadLimits } from "../port.ts";
import type { FetchedBatches } from "./fetch.ts";
import { asRepeatable, type StoredBatch } from "./message.ts";

/** A partition's batches from the fetch to the commit. They can be read again until then. */
export class FetchBuffer {
  readonly #maxBytes: number;
  readonly #arrivals = new Arrivals();
  #batches: StoredBatch[] = [];
  #bytes = 0;
  #next: Offset;
  readonly #repeatsBelow: Offset;
  #failure: EventLogError | null = null;

  constructor(next: Offset, repeatsBelow: Offset, maxBytes: number) {
    this.#next = next;
    this.#repeatsBelow = repeatsBelow;
    this.#maxBytes = maxBytes;
  }

  /** The offset of the next fetch; null while the buffer is full. */
  get wanted(): Offset | null {
    return this.#failure !== null || this.#bytes >= this.#maxBytes ? null : this.#next;
  }

  /** Adds the batches fetched from `from`, unless the next offset has changed in the meantime. */
  add(from: Offset, { batches, next }: FetchedBatches): void {
    if (from !== this.#next) return;
    for (const each of batches) {
      const stored = each.offset < this.#repeatsBelow ? asRepeatable(each) : each;
      this.#batches.push(stored);
      this.#bytes += stored.batch.rows.length;
      this.#arrivals.add(stored.batch.count);
    }
    this.#next = next;
    this.#arrivals.add(0);
  }

  /** Removes everything up to `last`. */
  drop(last: Offset): void {
    const kept = this.#batches.findIndex(({ offset }) => offset > last);
    const dropped = this.#batches.splice(0, kept < 0 ? this.#batches.length : kept);
    this.#bytes -= dropped.reduce((sum, { batch }) => sum + batch.rows.length, 0);
    if (this.#next <= last) this.skipTo(last + 1n);
  }

  /** Continues at another offset. Fetched batches stay. */
  skipTo(next: Offset): void {
    this.#next = next;
  }

  /** Rejects every further read. */
  fail(error: EventLogError): void {
    this.#failure = error;
    this.#arrivals.add(0);
  }

  /** Waits for uncommitted batches and returns them within the limits. May be empty. */
  async read(limits: ReadLimits, signal: AbortSignal): Promise<readonly StoredBatch[]> {
    await this.#arrivals.wait(
      limits.maxWaitMs,
      signal,
      () => this.#batches.length > 0 || this.#failure !== null,
    );
    if (this.#batches.length > 0)
      await this.#arrivals.wait(limits.lingerMs, signal, () => this.#isEnough(limits));
    if (this.#failure !== null) throw this.#failure;
    return signal.aborted ? [] : withinLimits(this.#batches, limits);
  }

  #isEnough({ maxEvents, maxBytes }: ReadLimits): boolean {
    const events = this.#batches.reduce((sum, { batch }) => sum + batch.count, 0);
    return this.wanted === null || events >= maxEvents || this.#bytes >= maxBytes;
  }
}

function withinLimits(
  batches: readonly StoredBatch[],
  { maxEvents, maxBytes }: ReadLimits,
): readonly StoredBatch[] {
  let events = 0;
  let bytes = 0;
  const end = batches.findIndex(({ batch }, index) => {
    events += batch.count;
    bytes += batch.rows.length;
    return index > 0 && (events > maxEvents || bytes > maxBytes);
  });
  return end < 0 ? [...batches] : batches.slice(0, end);
}
