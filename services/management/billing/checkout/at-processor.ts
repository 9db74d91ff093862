import { PaymentsError } from "#libs/payments/index.ts";
import type { Turn } from "../../queue/tasks.ts";

/** A job may have thousands of calls to make, of up to seconds each. After this many it ends, so that another can run, and queues the rest. */
const CALLS_IN_A_TURN = 20;
const START: Turn = { after: "", hasRefused: false };

/**
 * Calls the payment processor for each row, in turns. Answers where the next turn begins; null once one turn was enough for all rows, so
 * that none was added before the last one meanwhile. A refused row does not hold up the others: the refusal is thrown at the end of the
 * pass. An error that a retry may cure, such as a processor that is down, is thrown at once.
 */
export async function callForEach<Row extends { readonly id: string }>({
  from = START,
  pageAfter,
  call,
  isUnknown,
  onUnknown,
}: {
  /** What the turn before answered. */
  readonly from: Turn | undefined;
  /** The next rows after that id, in the order of their ids; none at the end. */
  readonly pageAfter: (id: string) => Promise<readonly Row[]>;
  readonly call: (row: Row) => Promise<void>;
  /** Whether a call has failed because the processor does not know the row, or its account is lost: see `isGone`. */
  readonly isUnknown: (row: Row, error: PaymentsError) => Promise<boolean>;
  /** Called with such a row, which counts as done. */
  readonly onUnknown: (row: Row) => void;
}): Promise<Turn | null> {
  let made = 0;
  let refusal: PaymentsError | null = null;
  let { after } = from;
  for (;;) {
    const page = await pageAfter(after);
    for (const row of page) {
      try {
        await call(row);
        made += 1;
      } catch (error) {
        if (!(error instanceof PaymentsError) || error.canRetry) throw error;
        if (await isUnknown(row, error)) onUnknown(row);
        else {
          refusal = error;
          made += 1;
        }
      }
      after = row.id;
      if (made >= CALLS_IN_A_TURN) return { after, hasRefused: from.hasRefused || refusal !== null };
    }
    if (page.length === 0) break;
  }
  if (refusal !== null) throw refusal;
  if (from.hasRefused)
    throw new PaymentsError(
      "PROCESSOR_FAILED",
      "The payment processor has refused calls of earlier turns.",
      false,
    );
  return from.after === "" ? null : START;
}
