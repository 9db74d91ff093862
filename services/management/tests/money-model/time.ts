import { DAY, HOUR, shown } from "./calendar.ts";
import type { Life } from "./life.ts";
import { graceEnd, nextEdge, pass, type World } from "./passing.ts";
import { ARRIVALS, type Arrival } from "./rig.ts";
import { pick, type Stage } from "./stage.ts";

/**
 * Lets time pass. It stops where a card that works pays what is owed, and where its grace ends before: there the service has to act
 * before the processor continues.
 */
export async function passTime(stage: Stage, seconds: number): Promise<void> {
  const { scene, sold, rig } = stage;
  const { world } = scene;
  const target = world.now + seconds;
  // Nor does it wait longer for those that are late.
  if (stage.isBehind && seconds > 12 * HOUR) await settle(stage, "prompt");
  while (world.now < target) {
    const until = Math.min(target, ...sold.map(({ life }) => actsAt(life, world, target)));
    const hasEdges = sold.some(
      ({ life }) => (nextEdge(life, world)?.at ?? Number.POSITIVE_INFINITY) <= until,
    );
    await rig.move(until - world.now);
    for (const { life } of sold) pass(life, world, until);
    world.now = until;
    if (until < target) await settle(stage, "prompt");
    else if (hasEdges || seconds > 2 * HOUR) {
      const arrival = anArrival(scene.random);
      // A comparison makes up for what was lost within days.
      await settle(stage, arrival === "lost" && seconds > 2 * DAY ? "prompt" : arrival);
    }
  }
  for (const one of sold) if (one.life.endedAt === null) one.history.push(`${shown(world.now)}`);
}

function actsAt(life: Life, world: World, target: number): number {
  const { owed, stop, card } = life;
  if (owed?.nextAt == null || card !== "works" || stop?.reason === "paused" || owed.nextAt > target)
    return target;
  const grace = graceEnd(life, world);
  return grace !== null && grace > world.now ? Math.min(grace, owed.nextAt) : owed.nextAt;
}

export async function settle(stage: Stage, arrival: Arrival = anArrival(stage.scene.random)): Promise<void> {
  const { scene, sold, rig } = stage;
  for (const { history } of sold)
    if (arrival !== "prompt") history.push(`${shown(scene.world.now)} (webhooks ${arrival})`);
  await rig.settle(arrival, scene.random);
  stage.isBehind = arrival === "late";
}

function anArrival(random: () => number): Arrival {
  return random() < 0.6 ? "prompt" : (pick(ARRIVALS, random) ?? "prompt");
}

export function longTime(stage: Stage): number {
  const { random } = stage.scene;
  const wanted = pick([HOUR, 12 * HOUR, 3 * DAY, 9 * DAY, 40 * DAY, 120 * DAY], random) ?? DAY;
  return 1 + Math.floor(random() * Math.min(longestOf(stage), wanted));
}

/** The most that may pass at once: each renewal is a handful of webhooks. */
export function longestOf({ sold }: Stage): number {
  const days = sold.map(({ life: { endedAt, terms } }) =>
    endedAt === null ? { Day: terms.intervalCount, Week: 7, Month: 30, Year: 365 }[terms.interval] : 365,
  );
  return Math.min(120, 5 * Math.min(...days, 365)) * DAY;
}
