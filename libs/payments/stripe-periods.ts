import type { Stripe } from "stripe";
import type { WrittenStopReason } from "#libs/domain/charging.ts";

/**
 * A stop and the period that it happened in, or the period as it was moved, as the metadata of a subscription has them: the
 * processor itself knows neither. Times in milliseconds since the epoch, whole seconds.
 */
export interface WrittenPeriod {
  readonly start: number;
  readonly end: number;
  /** The invoice of the period; null where it has none. */
  readonly invoiceId: string | null;
  /** What was paid for it; null while it is owed. */
  readonly paidAmount: number | null;
  readonly isTrial: boolean;
}

/** When the time of a period was stopped, and why. */
export interface WrittenStop {
  readonly reason: WrittenStopReason;
  readonly at: number;
}

const STOP = /^(paused|unpaid) (\d{1,12})$/;
const PERIOD = /^(\d{1,12}) (\d{1,12}) (-|in_\w+) (-|-?\d{1,15})( trial)?$/;

/** What a subscription may become in its trial. */
const TRIAL_LEFT: readonly string[] = ["canceled", "past_due", "unpaid"];

/** Metadata for a stop in a period. */
export function stopMetadata({ reason, at }: WrittenStop, period: WrittenPeriod) {
  return { stop: `${reason} ${seconds(at)}`, ...periodMetadata(period) };
}

/** Metadata for a period that continues. */
export function movedMetadata(period: WrittenPeriod) {
  return { ...CONTINUED, ...periodMetadata(period) };
}

/** Metadata that takes a stop away. */
export const CONTINUED = { stop: "", end: "" } as const;
/** Metadata that takes stop and period away. */
export const NO_STOP = { ...CONTINUED, period: "" } as const;

function periodMetadata({ start, end, invoiceId, paidAmount, isTrial }: WrittenPeriod) {
  const words = [seconds(start), seconds(end), invoiceId ?? "-", paidAmount ?? "-"];
  return { period: `${words.join(" ")}${isTrial ? " trial" : ""}` };
}

/** The stop of a subscription whose period is known; null for none. */
export function writtenStop({ metadata }: Stripe.Subscription): WrittenStop | null {
  const [, reason, at] = STOP.exec(metadata.stop ?? "") ?? [];
  if (reason === undefined || writtenPeriod(metadata) === null) return null;
  return { reason: reason === "paused" ? "paused" : "unpaid", at: Number(at) * 1000 };
}

/** The period that the metadata has. The owner of an account can write anything there. */
export function writtenPeriod(metadata: Stripe.Metadata): WrittenPeriod | null {
  const [, start, end, invoiceId, paid, trial] = PERIOD.exec(metadata.period ?? "") ?? [];
  if (invoiceId === undefined) return null;
  return {
    start: Number(start) * 1000,
    end: Number(end) * 1000,
    invoiceId: invoiceId === "-" ? null : invoiceId,
    // Earlier releases wrote the total of an invoice, which a credit may have made negative.
    paidAmount: paid === "-" ? null : Math.max(0, Number(paid)),
    isTrial: trial !== undefined,
  };
}

/**
 * Whether the period that the metadata has was moved and is the current or the last one: the processor has it as a trial that ends with
 * it, and does not call it one once the subscription has ended, or is overdue with an invoice of something else.
 */
export function isMovedPeriod(
  { status, trial_end, items }: Stripe.Subscription,
  period: WrittenPeriod,
): boolean {
  const isLast =
    status === "trialing" || (TRIAL_LEFT.includes(status) && items.data[0]?.current_period_end === trial_end);
  return isLast && trial_end === seconds(period.end);
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
