import { DAY, endAfter } from "./calendar.ts";
import { charge, DRAFT_FOR, end, invoice, isOnAir, isSettled, type Life, settleOwed } from "./life.ts";

/** What holds for all purchases while time passes. */
export interface World {
  now: number;
  graceDays: number;
  afterRetries: "cancel" | "unpaid" | "past_due";
}

/** Days from the first, second and third failure to the next attempt. */
const TRIED_AGAIN_AFTER = [3, 5, 7];

/** When the grace of what is owed ends; null without one. */
export function graceEnd({ owed, stop, endedAt, period }: Life, { graceDays }: World): number | null {
  if (owed?.failedAt == null || stop !== null || endedAt !== null) return null;
  // No longer than the period that is owed, so that never more than one is.
  return Math.min(owed.failedAt + graceDays * DAY, period.end);
}

/** The next moment at which time alone changes something; null for none. */
export function nextEdge(life: Life, world: World): { readonly at: number; readonly act: () => void } | null {
  const { owed, period, stop, grid, endedAt } = life;
  if (endedAt !== null) return null;
  const edges: { at: number; act: () => void }[] = [];
  if (period.bill === "draft" && stop === null) {
    const at = period.start + DRAFT_FOR;
    edges.push({
      at,
      act: () => charge(life, invoice(life, period.start), at, life.payments.length > 0),
    });
  }
  const attemptAt = stop?.reason === "paused" ? null : (owed?.nextAt ?? null);
  if (attemptAt !== null) edges.push({ at: attemptAt, act: () => tryAgain(life, world, attemptAt) });
  const graceAt = graceEnd(life, world);
  if (graceAt !== null) {
    edges.push({
      at: graceAt,
      act: () => {
        life.stop = { reason: "unpaid", at: graceAt };
      },
    });
  }
  edges.push({ at: grid.end, act: () => renew(life, grid.end) });
  return edges.reduce((first, edge) => (edge.at < first.at ? edge : first));
}

/** Lets time pass for a purchase, up to and with that moment. */
export function pass(life: Life, world: World, until: number): void {
  let now = world.now;
  for (let edge = nextEdge(life, world); edge !== null && edge.at <= until; edge = nextEdge(life, world)) {
    spend(life, edge.at - now);
    now = Math.max(now, edge.at);
    edge.act();
  }
  spend(life, until - now);
}

/** Counts time that has passed: on the air, or of a period that was sold and not used. */
function spend(life: Life, seconds: number): void {
  if (seconds <= 0 || life.endedAt !== null) return;
  const { period, stop, time } = life;
  if (isOnAir(life)) {
    time.onAir += seconds;
    if (!isSettled(period)) {
      time.graceUnpaid += seconds;
      period.unpaid += seconds;
    }
    life.hasRun = true;
  } else if (stop === null && isSettled(period)) time.waited += seconds;
}

/** The processor tries a card again by itself. */
export function tryAgain(life: Life, world: World, at: number): void {
  const { owed } = life;
  if (owed === null) return;
  if (life.card === "works") {
    settleOwed(life, at);
    return;
  }
  const days = TRIED_AGAIN_AFTER[owed.attempts];
  owed.attempts += 1;
  owed.nextAt = days === undefined ? null : at + days * DAY;
  if (days === undefined && world.afterRetries === "cancel") end(life, at);
}

function renew(life: Life, at: number): void {
  if (life.isLeaving) {
    end(life, at);
    return;
  }
  const next = endAfter(life.grid.anchor, life.terms, at);
  life.grid.end = next;
  // During a stop only the processor renews.
  if (life.stop !== null) return;
  const bill = life.terms.amount === 0 ? "free" : life.isHeld ? "void" : "draft";
  life.period = { start: at, end: next, bill, payment: null, unpaid: 0 };
  if (bill === "free") life.time.sold += next - at;
}
