import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { DAY } from "./calendar.ts";
import {
  beginInstead,
  beginNow,
  end,
  refund as giveBack,
  goOn,
  invoice,
  isOnAir,
  isSettled,
  type Life,
  settleOwed,
  stepOf,
} from "./life.ts";
import { tryAgain, type World } from "./passing.ts";
import type { Scene, Sold, Step } from "./scene.ts";

/** The submission, and what a publisher decides. */
export const PUBLISHER_STEPS: readonly Step[] = [
  {
    name: "submit",
    weight: 30,
    can: ({ endedAt, review }) => endedAt === null && review === "none",
    take: async (scene, sold) => {
      const { id } = await scene.rig.anybody.ok(
        submittedAd,
        "POST",
        `/v1/checkout-sessions/${sold.sessionId}/ad`,
        { name: sold.life.name, websiteUrl: "https://coffee.example" },
      );
      sold.adId = id;
      sold.path = `${scene.publisher.path}/ads/${id}`;
      sold.ourId = (await scene.publisher.caller.ok(ad, "GET", sold.path)).subscription.id;
      sold.life.review = "Pending";
      return "submits";
    },
  },
  {
    name: "approve",
    weight: 30,
    can: ({ review, endedAt }) => review === "Pending" && endedAt === null,
    take: async ({ publisher, world: { now } }, { life, path }) => {
      await publisher.caller.ok(ad, "POST", `${path}/approve`);
      approve(life, now);
      return "is approved";
    },
  },
  {
    name: "reject",
    weight: 2,
    can: ({ review, stop }) => (review === "Pending" || review === "Approved") && stop === null,
    take: reject,
  },
  {
    name: "reject in a moved period",
    weight: 8,
    can: ({ review, stop, endedAt, period, grid }) =>
      review === "Approved" &&
      stop === null &&
      endedAt === null &&
      period.bill === "paid" &&
      grid.anchor === period.end,
    take: reject,
  },
  {
    name: "reject in a stop",
    weight: 2,
    can: ({ review, stop }) => (review === "Pending" || review === "Approved") && stop !== null,
    take: reject,
  },
  {
    name: "canceled by the publisher",
    weight: 2,
    can: ({ endedAt, review }) => endedAt === null && (review === "Pending" || review === "Approved"),
    take: async (scene, sold) => {
      const { publisher, random, world } = scene;
      const refund = random() < 0.6;
      const cancel = `${publisher.path}/subscriptions/${sold.ourId}/cancel`;
      const { status, text } = await publisher.caller.request("POST", cancel, { refund, note: "Sorry." });
      if (status !== 200) throw new Error(`the cancellation answered ${status}: ${text}`);
      if (refund) refundRejected(scene, sold);
      end(sold.life, world.now);
      sold.isEndedHere = true;
      return `is canceled by the publisher ${refund ? "with" : "without"} a refund`;
    },
  },
  {
    name: "pause",
    weight: 12,
    can: (life) => isOnAir(life) && isSettled(life.period),
    take: async (scene, sold) => await pause(scene, sold),
  },
  {
    name: "pause in grace",
    // A grace is short beside the time that passes between two steps.
    weight: 120,
    can: (life) => isOnAir(life) && life.period.bill === "owed",
    take: async (scene, sold) => await pause(scene, sold),
  },
  {
    name: "pause before the invoice is final",
    weight: 6,
    can: (life) => isOnAir(life) && life.period.bill === "draft",
    take: async (scene, sold) => await pause(scene, sold),
  },
  {
    name: "resume",
    weight: 16,
    can: ({ stop, endedAt, isHeld }) => endedAt === null && stop?.reason === "paused" && !isHeld,
    take: async ({ publisher, world }, { life, path }) => {
      await publisher.caller.ok(ad, "POST", `${path}/resume`);
      resumeNow(life, world);
      return "is resumed";
    },
  },
  {
    name: "refused pause",
    weight: 1,
    can: (life) => life.review === "Approved" && !isOnAir(life),
    take: async ({ publisher }, { path }) => {
      await publisher.caller.refused(409, "POST", `${path}/pause`);
      return "cannot be paused";
    },
  },
  {
    name: "refused resume",
    weight: 1,
    can: ({ review, stop, endedAt }) =>
      review === "Approved" && (stop?.reason !== "paused" || endedAt !== null),
    take: async ({ publisher }, { path }) => {
      await publisher.caller.refused(409, "POST", `${path}/resume`);
      return "cannot be resumed";
    },
  },
];

async function pause({ publisher, world: { now } }: Scene, { life, path }: Sold): Promise<string> {
  await publisher.caller.ok(ad, "POST", `${path}/pause`);
  pauseNow(life, now);
  return "is paused";
}

/** What a pause does, wherever it is made. */
export function pauseNow(life: Life, now: number): void {
  life.stop = { reason: "paused", at: now };
  if (life.period.bill === "draft") {
    const due = invoice(life, life.period.start);
    life.period.bill = "owed";
    life.owed = { ...due, failedAt: null, attempts: 0, nextAt: null };
  }
}

/** What the end of a pause does, wherever it is made. */
export function resumeNow(life: Life, world: World): void {
  const { now } = world;
  if (life.period.bill === "void") beginInstead(life, now);
  else if (life.owed === null) goOn(life, now);
  else if (life.card === "works") {
    goOn(life, now);
    settleOwed(life, now);
  } else failToResume(life, world);
}

/** The open bill of a pause is tried at the end of it, and is owed; the processor's own attempts continue. */
function failToResume(life: Life, world: World): void {
  const { stop, owed } = life;
  if (stop === null || owed === null) return;
  life.stop = { reason: "unpaid", at: stop.at };
  owed.attempts += 1;
  if (owed.nextAt !== null && owed.nextAt <= world.now) tryAgain(life, world, world.now);
}

/** The first approval: the first time that charges may follow. */
function approve(life: Life, now: number): void {
  const { period, terms } = life;
  const wasSaved = period.bill === "saved";
  life.review = "Approved";
  life.hasRun ||= isSettled(period);
  if (!life.isHeld) return;
  life.isHeld = false;
  if (wasSaved && terms.trialDays !== null) {
    const until = now + terms.trialDays * DAY;
    life.period = { start: now, end: until, bill: "trial", payment: null, unpaid: 0 };
    life.grid = { anchor: until, end: until };
    life.time.sold += until - now;
  } else if (wasSaved || period.bill === "void") beginNow(life, now);
  else goOn(life, now);
  life.hasRun ||= isOnAir(life);
}

async function reject(scene: Scene, sold: Sold): Promise<string> {
  const { publisher, world, random } = scene;
  const { life } = sold;
  const refund = random() < 0.6;
  await publisher.caller.ok(ad, "POST", `${sold.path}/reject`, { note: "Not for our readers.", refund });
  if (refund) refundRejected(scene, sold);
  if (life.endedAt === null) {
    end(life, world.now);
    sold.isEndedHere = true;
  }
  life.review = "Rejected";
  return refund ? "is rejected with a refund" : "is rejected without a refund";
}

/** What an end by the publisher refunds: of an ad that has run the unused part of its period, else everything. */
export function refundRejected({ world }: Scene, { life }: Sold): void {
  const from = life.stop?.at ?? life.endedAt ?? world.now;
  for (const payment of life.payments) {
    const left =
      payment.dispute === null || payment.dispute === "won" ? payment.amount - payment.refunded : 0;
    const { start, end: until, payment: current } = life.period;
    const unused =
      payment === current && from >= start && from < until
        ? Number((BigInt(payment.amount) * BigInt(until - from)) / BigInt(until - start))
        : 0;
    // What was refunded since counts towards it.
    const since = payment.refunds.filter(({ at }) => at >= from).reduce((sum, { amount }) => sum + amount, 0);
    const back = life.hasRun ? Math.max(0, Math.min(left, unused - since)) : left;
    const step = stepOf(life.terms.currency);
    giveBack(payment, Math.floor(back / step) * step, world.now);
  }
}
