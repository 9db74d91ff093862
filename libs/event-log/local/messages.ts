import type { EventLogErrorCode } from "../errors.ts";
import type { DeadLetter, Offset, OffsetRange, PartitionBacklog, RangeOfOrigin } from "../port.ts";

/** A batch on its way between the threads; its bytes are transferred. */
export interface StoredBatch {
  readonly offset: Offset;
  readonly count: number;
  readonly rows: Uint8Array<ArrayBuffer>;
  /** In milliseconds since the epoch; null for a batch of a release that did not record it. */
  readonly appendedAt: number | null;
  /** It was in the file before this session. */
  readonly isOlder: boolean;
}

/** The log, from its creation on, and the session, from the opening of its file on. Both are random. */
export interface OpenedLog {
  readonly logId: string;
  readonly sessionId: string;
}

/** The requests to the worker thread, each with its answer. */
export interface LocalOperations {
  append: { ask: { readonly count: number; readonly rows: Uint8Array<ArrayBuffer> }; answer: undefined };
  probe: { ask: undefined; answer: undefined };
  takeOver: { ask: undefined; answer: number };
  recordedIntent: { ask: undefined; answer: RangeOfOrigin | null };
  backlog: { ask: undefined; answer: Omit<PartitionBacklog, "partition"> };
  end: { ask: undefined; answer: number };
  readNote: { ask: undefined; answer: string | null };
  writeNote: { ask: string; answer: undefined };
  readNext: { ask: { readonly maxEvents: number; readonly maxBytes: number }; answer: StoredBatch[] };
  readExactly: { ask: OffsetRange; answer: StoredBatch[] };
  recordIntent: { ask: { readonly epoch: number; readonly range: RangeOfOrigin }; answer: undefined };
  /** Asks by `rangeName`. */
  recordedJudgements: { ask: string; answer: Uint8Array | null };
  recordJudgements: {
    ask: { readonly epoch: number; readonly range: string; readonly judgements: Uint8Array };
    answer: undefined;
  };
  commit: { ask: { readonly epoch: number; readonly range: OffsetRange }; answer: undefined };
  writeDeadLetters: {
    ask: { readonly epoch: number; readonly letters: readonly DeadLetter[] };
    answer: number;
  };
  close: { ask: undefined; answer: undefined };
}

export type LocalOperation = keyof LocalOperations;

export type LocalRequest = {
  [K in LocalOperation]: {
    readonly id: number;
    readonly operation: K;
    readonly ask: LocalOperations[K]["ask"];
  };
}[LocalOperation];

export interface LocalFailure {
  readonly code: EventLogErrorCode;
  readonly message: string;
}

export type LocalMessage =
  | ({ readonly kind: "opened" } & OpenedLog)
  | { readonly kind: "refused"; readonly failure: LocalFailure }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly failure: LocalFailure }
  | { readonly kind: "warning"; readonly message: string };

/** The start data of the worker thread. */
export interface LocalWorkerData {
  readonly file: string;
  readonly maxFileBytes: number;
  readonly maxDeadLetters: number;
  /** The id that the log must have, or null at the first start. */
  readonly logId: string | null;
}

/** Names the only partition of a file. */
export function partitionId(logId: string): string {
  return `events-${logId}:0`;
}
