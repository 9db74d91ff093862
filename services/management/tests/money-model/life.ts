import { endAfter, HOUR, type Rhythm } from "./calendar.ts";

/*
 * What one purchase should be by the rule of paid time, as arithmetic over the steps of a walk. It imports no rule of the product.
 * Times are seconds since the epoch, amounts the smallest unit.
 */

export const PROMOTIONS = { none: 0, WELCOME20: 20, FIRSTFREE: 100, QUARTER25: 25, FOREVER10: 10 } as const;
export type Promotion = keyof typeof PROMOTIONS;

export interface Terms extends Rhythm {
  readonly amount: number;
  readonly currency: string;
  readonly promotion: Promotion;
  readonly chargeAt: "purchase" | "approval";
  /** Null for none. */
  readonly trialDays: number | null;
}

/** What pays for a period. */
export type Bill = "paid" | "free" | "trial" | "draft" | "owed" | "void" | "saved";

export interface Payment {
  /** What the invoice asks for. */
  readonly total: number;
  /** What was charged. */
  readonly amount: number;
  readonly at: number;
  refunded: number;
  readonly refunds: { readonly at: number; readonly amount: number }[];
  dispute: "open" | "won" | "lost" | null;
}

export interface Period {
  start: number;
  end: number;
  bill: Bill;
  payment: Payment | null;
  /** Seconds on the air before anything was paid. */
  unpaid: number;
}

/** An invoice with what is charged of it. */
export type Charged = Pick<Payment, "total" | "amount">;

/** An invoice that a card did not pay. */
export interface Owed extends Charged {
  /** When the grace begins; null for a first charge, which has none. */
  readonly failedAt: number | null;
  attempts: number;
  /** When the processor tries again by itself; null for never. */
  nextAt: number | null;
}

export interface Life {
  readonly name: string;
  readonly terms: Terms;
  readonly boughtAt: number;
  card: "works" | "fails";
  review: "none" | "Pending" | "Approved" | "Rejected";
  /** Whether charges wait for the first approval. */
  isHeld: boolean;
  period: Period;
  /** When the processor renews, and from when it counts. It renews during a stop, too, and then all that it invoices is void. */
  grid: { anchor: number; end: number };
  stop: { reason: "paused" | "unpaid"; readonly at: number } | null;
  owed: Owed | null;
  /** Whether the buyer has canceled for the end of the period. */
  isLeaving: boolean;
  endedAt: number | null;
  /** Whether it has ever been on the air. */
  hasRun: boolean;
  readonly payments: Payment[];
  usedOnce: boolean;
  /** What was not charged of earlier invoices, and waits for the next. */
  carried: number;
  /** Seconds on the air by what paid for them, and of periods that were sold, lost or not used. */
  readonly time: Record<"onAir" | "sold" | "waited" | "lost" | "graceUnpaid", number>;
}

/** What a renewal's invoice stays a draft for. */
export const DRAFT_FOR = HOUR;
export const SAVED_FOR_DAYS = 730;
const DAY = 24 * HOUR;

export function buy(name: string, terms: Terms, at: number, card: Life["card"]): Life {
  const isFree = terms.amount === 0;
  const trialDays = isFree ? null : terms.trialDays;
  const isSaved = !isFree && terms.chargeAt === "approval";
  const start = at;
  const trialEnd = isSaved ? at + SAVED_FOR_DAYS * DAY : trialDays === null ? null : at + trialDays * DAY;
  const end = trialEnd ?? endAfter(at, terms, at);
  const life: Life = {
    name,
    terms,
    boughtAt: at,
    card,
    review: "none",
    isHeld: !isFree,
    period: { start, end, bill: "void", payment: null, unpaid: 0 },
    grid: { anchor: trialEnd ?? at, end },
    stop: null,
    owed: null,
    isLeaving: false,
    endedAt: null,
    hasRun: false,
    payments: [],
    usedOnce: false,
    carried: 0,
    time: { onAir: 0, sold: 0, waited: 0, lost: 0, graceUnpaid: 0 },
  };
  if (isSaved) life.period.bill = "saved";
  else if (trialEnd !== null) settlePeriod(life, "trial");
  else if (isFree) settlePeriod(life, "free");
  else pay(life, invoice(life, at), at);
  return life;
}

/** What an invoice that is made at that time asks for. Uses up a discount of one payment. */
export function invoice(life: Life, at: number): Charged {
  const { amount, currency, promotion } = life.terms;
  const isOnce = promotion === "WELCOME20" || promotion === "FIRSTFREE";
  const isOver =
    (isOnce && life.usedOnce) ||
    (promotion === "QUARTER25" &&
      endAfter(life.boughtAt, { interval: "Month", intervalCount: 3 }, life.boughtAt) <= at);
  if (isOnce) life.usedOnce = true;
  const total = isOver ? amount : amount - Math.round((amount * PROMOTIONS[promotion]) / 100);
  const step = stepOf(currency);
  const charged = Math.round((total + life.carried) / step) * step;
  life.carried += total - charged;
  return { total, amount: charged };
}

/** What amounts are multiples of: the last of three decimals has to be 0. */
export function stepOf(currency: string): number {
  return currency === "kwd" ? 10 : 1;
}

/** Pays for the current period. */
export function pay(life: Life, { total, amount }: Charged, at: number): void {
  const payment: Payment = { total, amount, at, refunded: 0, refunds: [], dispute: null };
  if (amount > 0) life.payments.push(payment);
  life.owed = null;
  settlePeriod(life, "paid", payment);
}

function settlePeriod(life: Life, bill: Bill, payment: Payment | null = null): void {
  const { start, end, unpaid } = life.period;
  life.period = { start, end, bill, payment, unpaid: 0 };
  life.time.sold += end - start;
  life.time.graceUnpaid -= unpaid;
}

/** A new period begins at that time, and its charge is tried at once. */
export function beginNow(life: Life, at: number): void {
  const end = endAfter(at, life.terms, at);
  life.grid = { anchor: at, end };
  life.period = { start: at, end, bill: "draft", payment: null, unpaid: 0 };
  charge(life, invoice(life, at), at, false);
}

/** Tries a card for the invoice of the current period. A first charge that fails has no grace. */
export function charge(life: Life, due: Charged, at: number, hasGrace: boolean): void {
  if (due.amount === 0 || life.card === "works") {
    pay(life, due, at);
    return;
  }
  life.period.bill = "owed";
  life.owed = { ...due, failedAt: hasGrace ? at : null, attempts: 1, nextAt: at + 3 * DAY };
  if (!hasGrace) life.stop = { reason: "unpaid", at };
}

/** Resumes a stopped period: it moves by the time off the air, and renewals are counted from its new end. */
export function goOn(life: Life, at: number): void {
  const { stop, period } = life;
  if (stop === null) return;
  // All of it was on the air in grace.
  if (stop.at >= period.end) {
    beginInstead(life, at);
    return;
  }
  life.stop = null;
  period.start += at - stop.at;
  period.end += at - stop.at;
  life.grid = { anchor: period.end, end: period.end };
}

/** Pays what is owed, by whatever way. */
export function settleOwed(life: Life, at: number): void {
  const { owed, stop } = life;
  if (owed === null) return;
  pay(life, owed, at);
  if (stop?.reason === "unpaid") goOn(life, at);
}

/** What is owed is written off at the processor. It buys nothing: a new period begins and is charged, of a pause at its end. */
export function writeOff(life: Life, at: number): void {
  const { owed, stop } = life;
  if (owed === null) return;
  life.owed = null;
  // An invoice that is void gives back what it took from the invoices before it.
  life.carried -= owed.total - owed.amount;
  life.period.bill = "void";
  if (stop?.reason !== "paused") beginInstead(life, at);
}

/** A new period in place of one that was written off or used up; who has canceled is not charged for another. */
export function beginInstead(life: Life, at: number): void {
  life.stop = null;
  if (life.isLeaving) end(life, at);
  else beginNow(life, at);
}

export function refund(payment: Payment, amount: number, at: number): void {
  payment.refunded += amount;
  payment.refunds.push({ at, amount });
}

export function end(life: Life, at: number): void {
  const from = life.stop?.at ?? at;
  const { period } = life;
  if (isSettled(period)) life.time.lost += Math.max(0, period.end - from);
  life.endedAt = at;
  life.owed = null;
  life.isLeaving = false;
  if (period.bill === "owed" || period.bill === "draft") period.bill = "void";
}

/** Whether the period was sold: paid, free or in trial. */
export function isSettled({ bill }: Period): boolean {
  return bill === "paid" || bill === "free" || bill === "trial";
}

/** Whether the ad may be on the air. */
export function isOnAir({ review, endedAt, stop, isHeld, period }: Life): boolean {
  if (review !== "Approved" || endedAt !== null || stop !== null || isHeld) return false;
  return period.bill !== "void" && period.bill !== "saved";
}

/** Our word on the subscription. */
export function statusOf({ endedAt, stop, owed, period, isHeld }: Life): string {
  if (endedAt !== null) return "Canceled";
  if (stop?.reason === "paused" && !isHeld) return "Paused";
  if (owed !== null) return "PastDue";
  return period.bill === "trial" || period.bill === "saved" ? "Trialing" : "Active";
}
