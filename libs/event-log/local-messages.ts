import type { EventLogErrorCode } from "./errors.ts";
import type { DeadLetter, Offset, OffsetRange, RangeOfOrigin } from "./port.ts";

/** A batch as it crosses between the threads; the bytes are transferred. */
export interface StoredBatch {
  readonly offset: Offset;
  readonly count: number;
  readonly rows: Uint8Array<ArrayBuffer>;
  /** It was in the file when that was opened. */
  readonly isOlder: boolean;
}

/** Which file was opened, and which opening of it that is: both are random. */
export interface LocalOpening {
  readonly incarnation: string;
  readonly opening: string;
}

/** What the worker thread can be asked, with the answer to each. */
export interface LocalOperations {
  append: { ask: { readonly count: number; readonly rows: Uint8Array<ArrayBuffer> }; answer: undefined };
  probe: { ask: undefined; answer: undefined };
  takeOver: { ask: undefined; answer: number };
  recordedIntent: { ask: undefined; answer: RangeOfOrigin | null };
  lag: { ask: undefined; answer: number };
  end: { ask: undefined; answer: number };
  readNote: { ask: undefined; answer: string | null };
  writeNote: { ask: string; answer: undefined };
  readNext: { ask: { readonly maxEvents: number; readonly maxBytes: number }; answer: StoredBatch[] };
  readExactly: { ask: OffsetRange; answer: StoredBatch[] };
  recordIntent: { ask: { readonly epoch: number; readonly range: RangeOfOrigin }; answer: undefined };
  commit: { ask: { readonly epoch: number; readonly range: OffsetRange }; answer: undefined };
  putAside: { ask: { readonly epoch: number; readonly letters: readonly DeadLetter[] }; answer: number };
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
  | ({ readonly kind: "opened" } & LocalOpening)
  | { readonly kind: "refused"; readonly failure: LocalFailure }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly failure: LocalFailure }
  | { readonly kind: "warning"; readonly message: string };

/** What the worker thread is started with. */
export interface LocalWorkerData {
  readonly file: string;
  readonly maxFileBytes: number;
  readonly maxDeadLetters: number;
  /** The incarnation the file must have, or null at the first start. */
  readonly incarnation: string | null;
}

/** Names the only partition of a file. */
export function partitionId(incarnation: string): string {
  return `events-${incarnation}:0`;
}
