import { expect } from "vitest";
import { all, openPage } from "../../selling/tests/pages.ts";
import { shown } from "./calendar.ts";
import type { Life } from "./life.ts";
import { graceEnd, type World } from "./passing.ts";
import type { Scene, Sold } from "./scene.ts";

/** What a buyer's page promises of later charges and days, by the words that say so; the days are in the sentences. */
const PROMISES = [
  ["live until", /Pay by (\w+ \d+, \d+ at \d+:\d+) UTC to keep your ad live/],
  [
    "shown once paid",
    /is shown (?:again )?once you've paid|Once it's made, your ad is shown(?: again)?, for the rest/,
  ],
  ["and a new period is charged", /A new billing period starts then, and is charged as well/],
  ["paid for nothing", /The payment is still due, for days on which your ad (?:is|was) shown without it/],
  ["the rest runs", /[Tt]he rest of the current period runs/],
  ["what is due is charged", /The payment that's due is made then|the payment that's due is made, and/],
  ["a new period begins", /A new billing period begins then/],
  ["ends at once", /or at once if your ad is resumed/],
  ["ends on", /(?:ends on|keeps running until|keep your ad live until) (\w+ \d+, \d+)/],
  ["no other charge", /You won't be charged(?: for another period)?\./],
] as const satisfies readonly (readonly [string, RegExp])[];
type Promised = Partial<Record<(typeof PROMISES)[number][0], string>>;

/** Compares what the page of a purchase promises with what the model would do. An end has a page of its own. */
export async function comparePage({ rig, publisher, world }: Scene, sold: Sold): Promise<void> {
  const { life, sessionId } = sold;
  if (life.endedAt !== null) return;
  const page = await openPage(rig.service, `/advertise/${publisher.workspace.id}/checkout/${sessionId}`);
  const said = all(page, "div")
    .filter(({ attributes }) => attributes.class?.startsWith("note ") === true)
    .map(({ text }) => text)
    .join(" ");
  const seen: Promised = {};
  for (const [name, words] of PROMISES) {
    const found = words.exec(said);
    if (found !== null) seen[name] = found[1] ?? "";
  }
  expect({ said, ...seen }).toEqual({ said, ...promisedOf(life, world) });
}

function promisedOf(life: Life, world: World): Promised {
  const { isLeaving, grid, terms } = life;
  const leaves: Promised = isLeaving
    ? { "ends on": day(grid.end), ...(terms.amount === 0 ? {} : { "no other charge": "" }) }
    : {};
  if (life.stop?.reason === "paused" && !life.isHeld) return { ...leaves, ...whenResumed(life) };
  if (life.owed !== null) return { ...leaves, ...whenPaid(life, world) };
  return leaves;
}

function whenResumed({ period: { bill }, terms, isLeaving }: Life): Promised {
  if (terms.amount === 0) return isLeaving ? { "the rest runs": "" } : {};
  if (bill === "void") return isLeaving ? { "ends at once": "" } : { "a new period begins": "" };
  if (bill === "owed") return { "what is due is charged": "", ...(isLeaving ? { "the rest runs": "" } : {}) };
  return { "the rest runs": "" };
}

function whenPaid(life: Life, world: World): Promised {
  const { stop, period, isLeaving } = life;
  const graceEndsAt = graceEnd(life, world);
  const isTaken = (stop?.at ?? graceEndsAt ?? 0) >= period.end;
  if (isTaken && isLeaving) return { "paid for nothing": "" };
  if (graceEndsAt !== null)
    return { "live until": `${day(graceEndsAt)} at ${shown(graceEndsAt).slice(11, 16)}` };
  // Paid now, it runs to its end, which moves; without that it ends as planned.
  return { "shown once paid": "", ...(isTaken ? { "and a new period is charged": "" } : {}) };
}

function day(moment: number): string {
  return new Date(moment * 1000).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}
