import { Arrivals } from "./arrivals.ts";
import type { EventLogError } from "./errors.ts";
import { asRepeatable, type StoredBatch } from "./kafka-message.ts";
import type { FetchedBatches } from "./kafka-reading.ts";
import type { Offset, ReadLimits } from "./port.ts";

/** A partition's batches that have been fetched and not yet committed, so that they can be read again. */
export class KafkaBuffer {
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

  /** Where the next fetch goes on; null while there is no room for one. */
  get wanted(): Offset | null {
    return this.#failure !== null || this.#bytes >= this.#maxBytes ? null : this.#next;
  }

  /** Takes what was fetched from `from` on, unless reading has gone on elsewhere meanwhile. */
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

  /** Forgets everything up to `last`. */
  drop(last: Offset): void {
    const kept = this.#batches.findIndex(({ offset }) => offset > last);
    const dropped = this.#batches.splice(0, kept < 0 ? this.#batches.length : kept);
    this.#bytes -= dropped.reduce((sum, { batch }) => sum + batch.rows.length, 0);
    if (this.#next <= last) this.skipTo(last + 1n);
  }

  /** Goes on at another offset; what was fetched before stays. */
  skipTo(next: Offset): void {
    this.#next = next;
  }

  /** Ends reading: every further read rejects. */
  fail(error: EventLogError): void {
    this.#failure = error;
    this.#arrivals.add(0);
  }

  /** What `limits` let through, from the first that is not committed; waits as long as they say. May be empty. */
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
