import { describe, expect, it } from "vitest";
import { anEvent, aRange, type Fresh, judgementsOf } from "./events.ts";

/** How ranges of one origin are told apart. Each has a visitor twice, and a third event that is over the limit. */
export function describeRanges(adapter: string, fresh: Fresh): void {
  const eventsOf = (name: string) => [0, 1, 2].map(() => anEvent({ address: name, visitor: name, limit: 2 }));
  const ONCE = ["fresh", "duplicate", "limited"];

  describe(`${adapter}: judging ranges of one origin`, () => {
    it("gives the last range its judgements again, whatever a reader without its partition judges late", async () => {
      const judge = fresh();
      const judgeOne = (first: number) => judge.judge(eventsOf(`v${first}`), aRange(first));

      const judged = [await judgeOne(5), await judgeOne(3), await judgeOne(4), await judgeOne(5)];

      expect(judged).toEqual([ONCE, ONCE, ONCE, ONCE]);
    });

    it("judges each range once when the log is read again from its beginning, up to the last one and behind it", async () => {
      const judge = fresh();
      const judgeTwice = async (first: number) => {
        const range = aRange(first);
        const events = eventsOf(`again${first}`);
        return [await judge.judge(events, range), await judge.judge(events, range)];
      };
      await judge.judge(eventsOf("before the restore"), aRange(3));

      const judged = [];
      for (const first of [0, 1, 2, 4, 5]) judged.push(...(await judgeTwice(first)));

      expect(judged).toEqual(Array(10).fill(ONCE));
    });

    it("knows later offsets by their number, not by their digits", async () => {
      const judge = fresh();
      const judgeOne = (first: number) => judge.judge(eventsOf(`v${first}`), aRange(first));

      const judged = [];
      for (const first of [9, 10, 8, 10, Number.MAX_SAFE_INTEGER, 11, Number.MAX_SAFE_INTEGER])
        judged.push(await judgeOne(first));

      expect(judged).toEqual(Array(7).fill(ONCE));
    });

    it("gives no range the judgements of another that begins alike, or of another origin", async () => {
      const judge = fresh();
      await judge.judge(eventsOf("v0"), aRange(1));

      const longer = await judge.judge(eventsOf("v1"), { ...aRange(1), name: "log:1-2" });
      const other = await judge.judge(eventsOf("v2"), aRange(1, "another log"));

      expect([longer, other]).toEqual([ONCE, ONCE]);
    });

    it("gives a range of many calls its judgements again, and the next of its size other ones", async () => {
      const judge = fresh();
      const events = Array.from({ length: 1_100 }, (_, n) =>
        anEvent({ visitor: `v${n % 1_000}`, limit: 1_050 }),
      );
      await judgementsOf(judge, [{}]);

      const first = await judge.judge(events, aRange(7));
      const again = await judge.judge(events, aRange(7));
      await judge.judge(eventsOf("small"), aRange(8));
      const next = await judge.judge(events, aRange(9));

      expect(again).toEqual(first);
      expect(first.filter((one) => one === "fresh")).toHaveLength(1_000);
      expect(new Set(next)).toEqual(new Set(["limited"]));
    });

    it("gives two owners that ask at once the same judgements", async () => {
      const judge = fresh();
      const events = Array.from({ length: 5_000 }, (_, n) => anEvent({ visitor: `v${n % 4_000}` }));

      const [one, other] = await Promise.all([
        judge.judge(events, aRange(1)),
        judge.judge(events, aRange(1)),
      ]);

      expect(other).toEqual(one);
      expect(one.filter((judgement) => judgement === "duplicate")).toHaveLength(1_000);
    });
  });
}
