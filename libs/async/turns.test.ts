import { setImmediate as nextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

it("lets others in between pieces of work, however many are due at once", async () => {
  const turn = createTurns();
  const done: string[] = [];
  const work = async (piece: number) => {
    await turn("one");
    done.push(`piece ${piece}`);
  };

  const all = Promise.all([1, 2, 3].map(work));
  for (const round of [1, 2, 3]) {
    await nextRound();
    done.push(`others ${round}`);
  }
  await all;

  expect(done.filter((one) => one.startsWith("piece"))).toEqual(["piece 1", "piece 2", "piece 3"]);
  expect(done.indexOf("piece 3") - done.indexOf("piece 2")).toBeGreaterThan(1);
});

it("gives a party its turn between pieces of another, and begins again after a pause", async () => {
  const turn = createTurns();
  const done: string[] = [];
  const work = async (party: string) => {
    await turn(party);
    done.push(party);
  };

  await Promise.all(["many", "many", "many", "few", "many", "few"].map(work));
  await work("later");

  expect(done).toEqual(["many", "few", "many", "few", "many", "many", "later"]);
});
