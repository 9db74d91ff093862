declare const clock: unique symbol;

/**
 * A time on the payment processor's clock, in milliseconds since the epoch. Stripe's clock shows real time; the sandbox's can be
 * ahead of it. Rules that compare with times of the processor (periods, trials, ends, payments) take one of these, so that
 * the machine's time does not fit.
 */
export type ProcessorTime = number & { readonly [clock]: "processor" };

/** One moment on both clocks. */
export interface Moment {
  /** Real time, in milliseconds since the epoch. */
  readonly now: number;
  readonly atProcessor: ProcessorTime;
}

/** The moment `now`, with the processor's clock that many milliseconds ahead. */
export function momentAt(now: number, aheadMs: number): Moment {
  return { now, atProcessor: processorTime(now + aheadMs) };
}

/** A time that is known to be on the processor's clock. Throws for one that is no time. */
export function processorTime(milliseconds: number): ProcessorTime {
  if (!isTime(milliseconds)) throw new Error(`${milliseconds} is no time of the payment processor.`);
  return milliseconds;
}

function isTime(milliseconds: number): milliseconds is ProcessorTime {
  return Number.isFinite(milliseconds);
}
