import { changePrice } from "#libs/payments/tests/purchase.ts";
import { endAfter } from "./calendar.ts";
import { invoice, isOnAir, isSettled, type Life, pay } from "./life.ts";
import { pauseNow, resumeNow } from "./publisher-steps.ts";
import type { Scene, Sold, Step } from "./scene.ts";

const isPausable = (life: Life) => isOnAir(life) && isSettled(life.period);
const isPaused = ({ stop, endedAt, isHeld }: Life) =>
  endedAt === null && stop?.reason === "paused" && !isHeld;

/** What a publisher does at the processor, and what is asked of the service while an answer of the processor is lost. */
export const ELSEWHERE_STEPS: readonly Step[] = [
  {
    name: "pause at the processor",
    weight: 6,
    can: isPausable,
    take: async (scene, sold) => {
      await collect(scene, sold, false);
      pauseNow(sold.life, scene.world.now);
      return "is paused at the processor";
    },
  },
  {
    name: "resume at the processor",
    weight: 8,
    can: isPaused,
    take: async (scene, sold) => {
      await collect(scene, sold, true);
      resumeNow(sold.life, scene.world);
      return "is resumed at the processor";
    },
  },
  {
    name: "end the trial of a saved card at the processor",
    weight: 4,
    can: ({ endedAt, period }) => endedAt === null && period.bill === "saved",
    take: async ({ rig, world, random }, { life, subscription }) => {
      await rig.service.processor.stripe.subscriptions.update(subscription, { trial_end: "now" });
      await rig.settle("prompt", random);
      endTrial(life, world.now);
      return "is charged at the processor before the approval";
    },
  },
  {
    name: "change of price",
    weight: 6,
    can: ({ endedAt, owed, stop }) => endedAt === null && (owed === null || stop !== null),
    take: async (scene, sold) =>
      await moveToPrice(scene, sold, scene.random() < 0.5 ? "at once" : "with renewal"),
  },
  {
    name: "change of price in grace",
    // A grace is short beside the time that passes between two steps.
    weight: 100,
    can: ({ endedAt, owed, stop }) => endedAt === null && owed !== null && stop === null,
    // The invoice of the change, of nothing, is paid: the processor then calls active what owes a renewal.
    take: async (scene, sold) => await moveToPrice(scene, sold, "at once"),
  },
  {
    name: "pause with a lost answer",
    weight: 6,
    can: isPausable,
    take: async (scene, sold) => {
      const tries = await ask(scene, sold, "pause");
      pauseNow(sold.life, scene.world.now);
      return `is paused, ${tries}`;
    },
  },
  {
    name: "resume with a lost answer",
    weight: 6,
    // The charge of a bill that fails is an attempt of its own, each time.
    can: (life) => isPaused(life) && life.card === "works",
    take: async (scene, sold) => {
      const tries = await ask(scene, sold, "resume");
      resumeNow(sold.life, scene.world);
      return `is resumed, ${tries}`;
    },
  },
];

/** What somebody does in the processor's dashboard. The service has acted on it before anything else happens. */
async function collect({ rig, random }: Scene, { subscription }: Sold, isCollected: boolean): Promise<void> {
  await rig.service.processor.stripe.subscriptions.update(subscription, {
    pause_collection: isCollected ? "" : { behavior: "void" },
  });
  await rig.settle("prompt", random);
}

async function moveToPrice(
  { rig, random }: Scene,
  { life, subscription }: Sold,
  billed: "at once" | "with renewal",
): Promise<string> {
  const { stripe } = rig.service.processor;
  await changePrice(stripe, subscription, life.terms.amount, billed);
  await rig.settle("prompt", random);
  return `is moved to another price of the same amount, billed ${billed}`;
}

/** Repeats the request until it is done or was done before: one of the first answers of the processor is lost. */
async function ask(
  { rig, publisher, random }: Scene,
  { path }: Sold,
  what: "pause" | "resume",
): Promise<string> {
  const { processor } = rig.service;
  processor.loseAnswerToWrite(1 + Math.floor(random() * 3));
  try {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { status } = await publisher.caller.request("POST", `${path}/${what}`);
      await rig.settle("prompt", random);
      if (status === 200 || status === 409) return `${status} at attempt ${attempt}`;
    }
    throw new Error(`${what} failed three times.`);
  } finally {
    processor.loseAnswerToWrite(0);
  }
}

/** Somebody ends at the processor the trial that a saved card has there: what that charges stands still until the approval. */
function endTrial(life: Life, at: number): void {
  const due = invoice(life, at);
  const end = endAfter(at, life.terms, at);
  life.grid = { anchor: at, end };
  life.period = { start: at, end, bill: "void", payment: null, unpaid: 0 };
  if (due.amount === 0 || life.card === "works") pay(life, due, at);
  // What failed is voided.
  else life.carried -= due.total - due.amount;
  if (life.period.payment !== null && due.amount > 0) life.stop = { reason: "paused", at };
}
