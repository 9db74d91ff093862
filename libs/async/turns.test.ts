import { setImmediate as nextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

it("lets others in between pieces of work, however many are due at once", async () => {
  const turn = createTurns();
  const done: string[] = [];
  const work = async (piece: number) => {
    await turn();
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
