import { EventLogError } from "../errors.ts";

/** Bytes in memory that may wait for the disk. */
const MAX_PENDING_BYTES = 16 * 1024 * 1024;

/** Limits the spill's bytes on the disk, and in memory while they are written. */
export class SpillBudget {
  readonly maxBytes: number;
  #bytes = 0;
  #pending = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Bytes on the disk, or on their way to it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reserves room for a batch. Throws `EventLogError` `UNAVAILABLE` when it does not fit. */
  reserve(bytes: number): void {
    if (this.#bytes + bytes > this.maxBytes)
      throw new EventLogError("UNAVAILABLE", `The spill is full: ${this.#bytes} of ${this.maxBytes} bytes.`);
    if (this.#pending + bytes > MAX_PENDING_BYTES)
      throw new EventLogError(
        "UNAVAILABLE",
        `More than ${MAX_PENDING_BYTES} bytes wait for the spill's disk.`,
      );
    this.#bytes += bytes;
    this.#pending += bytes;
  }

  /** Counts an existing file, also above the limit. */
  take(bytes: number): void {
    this.#bytes += bytes;
  }

  written(bytes: number): void {
    this.#pending -= bytes;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }
}
