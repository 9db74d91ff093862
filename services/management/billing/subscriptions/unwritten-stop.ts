import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { ProcessorSubscription } from "#libs/payments/index.ts";
import { type GraceRow, graceEndOf } from "../../snapshots/publish.ts";

/** Our row of a subscription, as it was known last. */
interface KnownRow extends GraceRow {
  readonly stop_reason: string | null;
  readonly owed_invoice: string | null;
}

/**
 * The processor's state with a stop that it has not been told of: the ad has been off the air since the end of its grace, and its charge
 * was paid before the stop was written there. Our row keeps that stop until the period is moved by the time off the air. A stop that
 * leaves nothing of the period is none: the processor's next renewal is due.
 */
export function withUnwrittenStop(
  current: ProcessorSubscription,
  row: KnownRow,
  now: ProcessorTime,
): ProcessorSubscription {
  const { status, stop, isPeriodMoved, paidAmount, periodInvoiceId, currentPeriodEnd: end } = current;
  if (status !== "Active" || stop !== null || isPeriodMoved || paidAmount === null) return current;
  if (periodInvoiceId === null || periodInvoiceId !== row.owed_invoice || end === null) return current;
  const at = row.stop_reason === "unpaid" ? (row.stopped_at?.getTime() ?? null) : graceEndOf(row);
  return at === null || at > now || at >= end
    ? current
    : { ...current, status: "PastDue", stop: { reason: "unpaid", at, bill: "paid" } };
}
