import type { EventLog } from "./port.ts";

export interface SpillOptions {
  /** Several processes may share it: each takes a part of its own, and what a dead one left. Made where it is missing. */
  readonly folder: string;
  /** Bytes that wait on this process's part of the disk at most; beyond them appends are rejected. Default 1 GiB. */
  readonly maxBytes?: number;
  /** How long a batch that the log may yet take waits before it is replayed, in milliseconds. Default 30,000. */
  readonly quarantineMs?: number;
  /** An append that has not ended after so long goes to the spill, in milliseconds. Default 1,500. */
  readonly slowMs?: number;
  /** Told in one sentence what a person should know: the log is away, the spill is full, a file is damaged. */
  readonly onWarning?: (message: string) => void;
}

/** What waits in the spill and what went through it, for metrics. */
export interface SpillState {
  readonly waitingBytes: number;
  readonly waitingBatches: number;
  /** Of the batch that has waited longest; 0 where none waits. */
  readonly oldestAgeSeconds: number;
  readonly maxBytes: number;
  /** 1 while appends go to the spill because the log is away. */
  readonly logIsAway: boolean;
  /** Batches since the start. */
  readonly spilled: number;
  readonly replayed: number;
  /** Batches that were rejected because the spill was full or could not be written to. */
  readonly refused: number;
}

/** An event log that goes on taking batches while the one behind it is away. */
export interface SpillingLog extends EventLog {
  spillState(): SpillState;
}
