import { seededNumbers } from "../recorded-events.ts";
import { BUYER_STEPS } from "./buyer-steps.ts";
import { shown } from "./calendar.ts";
import { compareOne, compareServing } from "./compare.ts";
import { compareEverything, compareMails } from "./compare-all.ts";
import { comparePage } from "./compare-page.ts";
import { deleteWorkspace } from "./deletion.ts";
import { ELSEWHERE_STEPS } from "./elsewhere-steps.ts";
import { isOnAir } from "./life.ts";
import { MONEY_STEPS } from "./money-steps.ts";
import { nextEdge, type World } from "./passing.ts";
import { PUBLISHER_STEPS } from "./publisher-steps.ts";
import type { Rig } from "./rig.ts";
import { LEFT_OUT, type Sold, type Step } from "./scene.ts";
import { changeSettings, note, openStage, pick, type Stage, sell } from "./stage.ts";
import { longestOf, longTime, passTime, settle } from "./time.ts";

export const STEPS: readonly Step[] = [
  ...PUBLISHER_STEPS,
  ...BUYER_STEPS,
  ...MONEY_STEPS,
  ...ELSEWHERE_STEPS,
];

/** Purchases that live at the same time, and steps until the next publisher. */
const MOST_ALIVE = 9;
const STEPS_PER_PUBLISHER = 120;
const COMPARES_ALL_EVERY = 40;

/** A difference between the rule and the product. */
class Difference extends Error {}

/**
 * Walks seeded steps, `steps` of them or as many as begin within `forMs`; returns their number. Throws `Difference` with seed,
 * step and the history of the one purchase.
 */
export async function walk(rig: Rig, seed: number, steps: number, forMs: number): Promise<number> {
  const endsAt = performance.now() + forMs;
  const random = chance(seed);
  const world: World = { now: rig.now(), graceDays: 3, afterRetries: "cancel" };
  let stage: Stage | null = null;
  let name = 0;
  for (let n = 1; ; n += 1) {
    const isLast = n >= steps || performance.now() >= endsAt;
    if (stage === null || (n - 1) % STEPS_PER_PUBLISHER === 0) stage = await openStage(rig, world, random);
    const { scene, sold } = stage;
    if ((n - 1) % STEPS_PER_PUBLISHER === STEPS_PER_PUBLISHER / 2) {
      await changeSettings(stage, {
        chargeAt: stage.chargeAt === "purchase" ? "approval" : "purchase",
        graceDays: world.graceDays === 3 ? 5 : 3,
      });
    }
    let touched: Sold | null = null;
    try {
      const alive = sold.filter(({ life }) => life.endedAt === null);
      const kind = random();
      await passTime(stage, kind < 0.3 ? longTime(stage) : 60 + Math.floor(random() * 90 * 60));
      if (kind < 0.3) touched = pick(alive, random) ?? null;
      else if (kind < 0.4) touched = await toEdge(stage);
      else if (alive.length < 4 || (kind < 0.5 && alive.length < MOST_ALIVE)) {
        name += 1;
        touched = await sell(stage, `${seed}-${name}`);
        await settle(stage);
      } else touched = await takeStep(stage);
      if (touched !== null && !stage.isBehind) {
        await compareOne(scene, touched);
        await comparePage(scene, touched);
      }
      if (n % COMPARES_ALL_EVERY === 0 || isLast) {
        await stage.rig.settle("prompt", random);
        stage.isBehind = false;
        for (const one of sold) {
          touched = one;
          await compareOne(scene, one);
          await comparePage(scene, one);
          compareMails(scene, one);
        }
        touched = null;
        await compareEverything(scene, sold);
        if (n % STEPS_PER_PUBLISHER === 0 || isLast) await deleteWorkspace(stage);
      } else if (!stage.isBehind) {
        for (const one of sold) {
          touched = one;
          await compareServing(scene, [one]);
        }
      }
    } catch (error) {
      throw told(`Seed ${seed}, step ${n}`, touched ?? stage.latest, world, error);
    }
    if (isLast) return n;
  }
}

/** The numbers of a seed, from 0 to 1. */
export function chance(seed: number): () => number {
  const numbers = seededNumbers(seed * 7_919 + 1);
  // The generator's first numbers of near seeds are alike.
  for (let n = 0; n < 10; n += 1) numbers();
  return numbers;
}

/** One step of one purchase; null if none can take one. */
async function takeStep(stage: Stage): Promise<Sold | null> {
  const { scene, sold } = stage;
  const ways = sold.flatMap((one) =>
    STEPS.filter((step) => !LEFT_OUT.includes(step.name) && step.can(one.life)).map((step) => ({
      one,
      step,
    })),
  );
  const total = ways.reduce((sum, { step }) => sum + step.weight, 0);
  let at = scene.random() * total;
  let way: { one: Sold; step: Step } | undefined;
  for (const candidate of ways) {
    way = candidate;
    at -= candidate.step.weight;
    if (at < 0) break;
  }
  if (way === undefined) return null;
  const { one, step } = way;
  stage.latest = one;
  if (stage.isBehind) await settle(stage, "prompt");
  note(stage, one, `… ${step.name}`);
  const done = await step.take(scene, one);
  one.history.pop();
  note(stage, one, done);
  await settle(stage);
  return one;
}

/**
 * To just before the next moment at which time alone changes a purchase, and just beyond it. Rather one whose renewal fails, and then
 * often beyond its charge as well, into the grace.
 */
async function toEdge(stage: Stage): Promise<Sold | null> {
  const { scene, sold } = stage;
  const latest = scene.world.now + longestOf(stage);
  const near = sold.filter(
    ({ life }) => (nextEdge(life, scene.world)?.at ?? Number.POSITIVE_INFINITY) <= latest,
  );
  const failing = near.filter(
    ({ life }) => isOnAir(life) && life.card === "fails" && life.owed === null && !life.isLeaving,
  );
  const one = pick(failing.length > 0 ? failing : near, scene.random);
  if (one === undefined) return null;
  await passEdge(stage, one);
  if (one.life.period.bill === "draft" && scene.random() < 0.8) await passEdge(stage, one);
  return one;
}

/** Passes time to just beyond the next moment at which time alone changes a purchase, and compares just before it. */
export async function passEdge(stage: Stage, one: Sold): Promise<void> {
  const { scene } = stage;
  const edge = nextEdge(one.life, scene.world);
  if (edge === null) return;
  stage.latest = one;
  const before = edge.at - 1 - scene.world.now;
  if (before > 0) {
    await passTime(stage, before);
    await settle(stage, "prompt");
    await compareOne(scene, one);
  }
  await passTime(stage, edge.at + 1 - scene.world.now);
  await settle(stage, "prompt");
}

/** What went wrong, with the history of the purchase: passing time is told once between its steps. */
export function told(where: string, sold: Sold | null, world: World, error: unknown): Difference {
  const message = error instanceof Error ? error.message : String(error);
  const lines = (sold?.history ?? []).filter(
    (line, at, all) => line.length > 19 || (all[at + 1]?.length ?? 0) > 19 || at === all.length - 1,
  );
  return new Difference(
    [
      `${where}, ${shown(world.now)}: ${message}`,
      ...lines,
      `By the model: ${JSON.stringify(sold?.life ?? null)}`,
    ].join("\n"),
    { cause: error },
  );
}
