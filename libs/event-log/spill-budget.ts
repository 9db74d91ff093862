import { EventLogError } from "./errors.ts";

/** Bytes that may wait for the disk, in memory. */
const MOST_PENDING_BYTES = 16 * 1024 * 1024;

/** What the spill may take of the disk and, while it is written, of the memory. */
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

  /** For a batch that is to be written. Throws `EventLogError` `UNAVAILABLE` when it does not fit. */
  reserve(bytes: number): void {
    if (this.#bytes + bytes > this.maxBytes)
      throw new EventLogError("UNAVAILABLE", `The spill is full: ${this.#bytes} of ${this.maxBytes} bytes.`);
    if (this.#pending + bytes > MOST_PENDING_BYTES)
      throw new EventLogError(
        "UNAVAILABLE",
        `More than ${MOST_PENDING_BYTES} bytes wait for the spill's disk.`,
      );
    this.#bytes += bytes;
    this.#pending += bytes;
  }

  /** For files that are there already, whether they fit or not. */
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
