import { DAY } from "./calendar.ts";
import { compareOne } from "./compare.ts";
import { compareMails } from "./compare-all.ts";
import { comparePage } from "./compare-page.ts";
import type { Terms } from "./life.ts";
import type { Rig } from "./rig.ts";
import type { Sold } from "./scene.ts";
import { changeSettings, openStage, type Stage, sellOn } from "./stage.ts";
import { passTime, settle } from "./time.ts";
import { chance, passEdge, STEPS, told } from "./walk.ts";

/** A step by its name, or what time or a setting does; `edge` is the next moment at which time alone changes something. */
type Move = { readonly step: string } | "edge" | { readonly days: number } | { readonly graceDays: number };

/** Moves in a given order, for rules that meet too rarely where chance chooses. */
interface Course {
  readonly name: string;
  readonly terms: Pick<Terms, "interval" | "intervalCount" | "amount" | "currency">;
  readonly graceDays: number;
  /** `purchase` where absent. */
  readonly chargeAt?: Terms["chargeAt"];
  readonly moves: readonly Move[];
}

const WEEKLY = { interval: "Week", intervalCount: 1, amount: 3_000, currency: "usd" } as const;
const DAILY = { interval: "Day", intervalCount: 1, amount: 700, currency: "usd" } as const;
const MONTHLY = { interval: "Month", intervalCount: 1, amount: 4_900, currency: "usd" } as const;
const RUNS: readonly Move[] = [{ step: "submit" }, { step: "approve" }];
/** The renewal, and the charge of it an hour later. */
const RENEWAL_FAILS: readonly Move[] = [{ step: "change card" }, "edge", "edge"];

export const COURSES: readonly Course[] = [
  {
    name: "a refund made in a pause counts towards that of a rejection",
    terms: WEEKLY,
    graceDays: 3,
    moves: [
      ...RUNS,
      { days: 2 },
      { step: "pause" },
      { days: 1 },
      { step: "refund" },
      { step: "reject in a stop" },
    ],
  },
  {
    name: "a canceled period that was used up in grace does not begin anew with its payment",
    terms: DAILY,
    graceDays: 9,
    moves: [...RUNS, ...RENEWAL_FAILS, "edge", { step: "cancel" }, { step: "pay" }],
  },
  {
    name: "a period that was used up in grace begins anew with its payment",
    terms: DAILY,
    graceDays: 9,
    moves: [...RUNS, ...RENEWAL_FAILS, "edge", { days: 0.5 }, { step: "pay" }],
  },
  {
    name: "a grace that is cut in its middle was on the air until then",
    terms: MONTHLY,
    graceDays: 9,
    moves: [...RUNS, ...RENEWAL_FAILS, { days: 5 }, { graceDays: 2 }, { days: 1 }, { step: "pay" }],
  },
  {
    name: "a renewal stays owed through a change of the price, whose invoice is paid",
    terms: WEEKLY,
    graceDays: 2,
    moves: [
      ...RUNS,
      ...RENEWAL_FAILS,
      { step: "change of price in grace" },
      "edge",
      { days: 0.5 },
      { step: "pay" },
      { days: 8 },
    ],
  },
  {
    name: "a pause at the processor keeps a period that is resumed there",
    terms: WEEKLY,
    graceDays: 3,
    moves: [
      ...RUNS,
      { days: 2 },
      { step: "pause at the processor" },
      { days: 9 },
      { step: "resume at the processor" },
      { days: 7 },
    ],
  },
  {
    name: "what was charged of a saved card before the approval begins with it",
    terms: WEEKLY,
    graceDays: 3,
    chargeAt: "approval",
    moves: [
      { step: "submit" },
      { step: "end the trial of a saved card at the processor" },
      { days: 16 },
      { step: "approve" },
      { days: 8 },
    ],
  },
  {
    name: "a saved card that fails before the approval is charged with it",
    terms: WEEKLY,
    graceDays: 3,
    chargeAt: "approval",
    moves: [
      { step: "submit" },
      { step: "change card" },
      { step: "end the trial of a saved card at the processor" },
      { days: 16 },
      { step: "approve" },
      { step: "pay" },
      { days: 8 },
    ],
  },
];

/** Takes the moves of a course, with a comparison after each. Throws `Difference`. */
export async function takeCourse(rig: Rig, course: Course): Promise<void> {
  const { name, terms, graceDays, chargeAt = "purchase", moves } = course;
  const stage = await openStage(rig, { now: rig.now(), graceDays, afterRetries: "cancel" }, chance(1));
  await changeSettings(stage, { chargeAt, graceDays });
  const sold = await sellOn(
    stage,
    `course-${COURSES.indexOf(course)}`,
    { ...terms, promotion: "none", chargeAt, trialDays: rig.trialDays },
    "works",
  );
  await settle(stage, "prompt");
  for (const [n, move] of moves.entries()) {
    try {
      await take(stage, sold, move);
      await compareOne(stage.scene, sold);
      await comparePage(stage.scene, sold);
      compareMails(stage.scene, sold);
    } catch (error) {
      throw told(`${name}, move ${n + 1}`, sold, stage.scene.world, error);
    }
  }
  // It would renew through the courses that follow.
  if (sold.life.endedAt === null) await rig.service.processor.stripe.subscriptions.cancel(sold.subscription);
  await settle(stage, "prompt");
}

async function take(stage: Stage, sold: Sold, move: Move): Promise<void> {
  const { scene } = stage;
  if (move === "edge") await passEdge(stage, sold);
  else if ("days" in move) await passTime(stage, move.days * DAY);
  else if ("graceDays" in move) {
    await changeSettings(stage, { chargeAt: stage.chargeAt, graceDays: move.graceDays });
  } else {
    const step = STEPS.find(({ name }) => name === move.step);
    if (step?.can(sold.life) !== true) throw new Error(`There is no step "${move.step}" now.`);
    sold.history.push(await step.take(scene, sold));
  }
  await settle(stage, "prompt");
}
