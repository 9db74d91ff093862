import { PaymentsError } from "#libs/payments/index.ts";

/** A job may have thousands of calls to make, of up to seconds each. After this many it ends, so that another can run, and queues the rest. */
export const CALLS_IN_A_TURN = 20;

/**
 * Calls the payment processor for each row. A row that it refuses does not hold up the others: the last refusal is thrown once
 * all rows were tried. An error that a retry may cure, such as a processor that is down, is thrown at once. Answers whether all
 * rows were tried: false after `most` calls that succeeded.
 */
export async function callForEach<Row extends { readonly id: string }>({
  pageAfter,
  call,
  onUnknown,
  most = Number.POSITIVE_INFINITY,
}: {
  /** The next rows after that id, in the order of their ids; none at the end. */
  readonly pageAfter: (id: string) => Promise<readonly Row[]>;
  readonly call: (row: Row) => Promise<void>;
  /** Called with a row that the processor does not know; the row counts as done. */
  readonly onUnknown: (row: Row) => void;
  readonly most?: number;
}): Promise<boolean> {
  let made = 0;
  let refusal: PaymentsError | null = null;
  let after = "";
  for (;;) {
    const page = await pageAfter(after);
    for (const row of page) {
      try {
        await call(row);
        made += 1;
        if (made >= most) return false;
      } catch (error) {
        if (!(error instanceof PaymentsError) || error.canRetry) throw error;
        if (error.code === "NOT_FOUND") onUnknown(row);
        else refusal = error;
      }
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  if (refusal !== null) throw refusal;
  return true;
}
