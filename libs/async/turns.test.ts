import { setImmediate as nextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { pause } from "./retry.ts";
import { createTurns, FairTurns } from "./turns.ts";

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

it("runs one piece of work at a time, of each party in turn, however long it lasts and whether it fails", async () => {
  const turns = new FairTurns();
  const log: string[] = [];
  const work = (party: string) =>
    turns.run(party, async () => {
      log.push(party);
      await pause(2);
      log.push("done");
      if (party === "few") throw new Error("failed");
      return party;
    });

  const results = await Promise.allSettled(["many", "many", "many", "few"].map(work));

  expect(log).toEqual(["many", "done", "few", "done", "many", "done", "many", "done"]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
});

it("rests for as long as a piece took before the next that waits", async () => {
  const turns = new FairTurns();
  const times: number[] = [];
  const work = () =>
    turns.run("one", async () => {
      times.push(performance.now());
      await pause(20);
    });

  await Promise.all([work(), work()]);

  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThan(37);
});
