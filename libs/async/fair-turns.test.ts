import { expect, it, onTestFinished, vi } from "vitest";
import { FairTurns } from "./fair-turns.ts";
import { pause } from "./retry.ts";

/** Turns whose rests take no time, and how long they would be. */
function turnsWithRests(places: number) {
  const rests: number[] = [];
  const rest = async (ms: number) => {
    rests.push(ms);
  };
  return { turns: new FairTurns(places, rest), rests };
}

it("runs one piece of a party's work at a time, whether it fails or not, and two parties' at once", async () => {
  const { turns } = turnsWithRests(2);
  const running = new Set<string>();
  const together: string[] = [];
  const work = (party: string) =>
    turns.run(party, async () => {
      expect(running).not.toContain(party);
      running.add(party);
      together.push([...running].sort().join());
      await pause(5);
      running.delete(party);
      if (party === "two") throw new Error("failed");
      return party;
    });

  const results = await Promise.allSettled(["one", "one", "two", "three", "one", "two"].map(work));

  expect(results.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "rejected",
  ]);
  expect(together.every((parties) => parties.split(",").length <= 2)).toBe(true);
  expect(together).toContain("one,two");
});

it("keeps nobody's short pieces waiting for another's long ones, though each asks only after the last", async () => {
  const turns = new FairTurns(2, pause);
  const log: string[] = [];
  const work = (party: string, ms: number) =>
    turns.run(party, async () => {
      await pause(ms);
      log.push(party);
    });
  const inARow = async (party: string, ms: number, pieces: number) => {
    for (let piece = 0; piece < pieces; piece += 1) await work(party, ms);
  };

  await Promise.all([inARow("long", 200, 2), inARow("longer", 300, 2), inARow("short", 1, 10)]);

  // Before any long piece has ended twice.
  expect(log.lastIndexOf("short")).toBeLessThan(log.lastIndexOf("long"));
});

it("keeps the last place for those whose pieces are short, however long the others have rested and whatever short ones they had since", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = new FairTurns(2);
  for (const party of ["heavy", "heavier"]) {
    await turns.run(party, async () => vi.advanceTimersByTime(5_000));
    for (let piece = 0; piece < 5; piece += 1) await turns.run(party, async () => undefined);
  }
  vi.advanceTimersByTime(120_000);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const heavy = ["heavy", "heavier"].map((party) =>
    turns.run(party, async () => {
      begun.push(party);
      await ended;
    }),
  );

  await turns.run("light", async () => begun.push("light"));

  expect(begun).toHaveLength(2);
  end();
  await Promise.all(heavy);
  expect(begun).toHaveLength(3);
});

it("has a turn for who had a long piece, though those whose pieces are short never leave a place", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = new FairTurns(2);
  await turns.run("heavy", async () => vi.advanceTimersByTime(5_000));
  let pieces = 0;
  let isServed = false;
  const piece = (party: string) =>
    turns.run(party, async () => {
      pieces += 1;
      vi.advanceTimersByTime(100);
      await new Promise((done) => setImmediate(done));
    });
  const short = async (party: string): Promise<void> => {
    let last = piece(party);
    while (!isServed && pieces < 500) {
      // The next one waits already when this one ends.
      const next = piece(party);
      await last;
      last = next;
    }
    await last;
  };

  const light = ["one", "two", "three"].map(short);
  await turns.run("heavy", async () => {
    isServed = true;
  });
  await Promise.all(light);

  expect(pieces).toBeLessThan(500);
});

it("rests after a piece while other work waits, the longer the more parties there are", async () => {
  const { turns, rests } = turnsWithRests(1);
  const tookMs = 20;
  const work = (party: string) => turns.run(party, () => pause(tookMs));

  await Promise.all([work("one"), work("one")]);
  await Promise.all([work("one"), work("two"), work("three")]);

  const [ofOne = 0, ofThree = 0] = rests;
  expect(ofOne).toBeGreaterThan(tookMs * 0.9);
  expect(ofThree).toBeGreaterThan(5 * tookMs * 0.9);
});

it("never rests where work is alone, though the next piece is asked for as soon as one is done", async () => {
  const { turns, rests } = turnsWithRests(4);

  for (let piece = 0; piece < 3; piece += 1) await turns.run("one", () => pause(5));

  expect(rests).toEqual([]);
});

it("gives parties turns without rests, and frees the place of work that throws before it begins", async () => {
  const turns = new FairTurns(1);
  const begun: string[] = [];
  const work = (party: string) => turns.run(party, async () => begun.push(party));
  const fails = turns.run("a", () => {
    throw new Error("No.");
  });

  const [failed] = await Promise.allSettled([fails, ...["a", "a", "b", "b", "c"].map(work)]);

  expect(failed?.status).toBe("rejected");
  expect(begun.slice(0, 2)).toEqual(["b", "c"]);
  expect(begun.toSorted().join("")).toBe("aabbc");
});

it("serves who has used little before many who have used much", async () => {
  const turns = new FairTurns(1);
  const order: string[] = [];
  const work = (party: string, ms: number) =>
    turns.run(party, async () => {
      await pause(ms);
      order.push(party);
    });
  const many = ["one", "two", "three"];
  await Promise.all(many.map((party) => work(party, 20)));

  await Promise.all([...many, ...many, "little"].map((party) => work(party, 20)));

  // One had its turn before the other asked.
  expect(order.indexOf("little")).toBe(4);
});
