import { describe, expect, it } from "vitest";
import { anEvent, type Fresh, judgementsOf, LIMITS, NOON } from "./events.ts";

const OF_ANY_TIME = { isOfAnyTime: true };
const HOUR_MS = 3_600_000;

/** How events are judged that a server reports in batches, of many windows each. */
export function describeAnyTimes(adapter: string, fresh: Fresh): void {
  /** Events of visitors of their own, as far apart as said. */
  const apart = (count: number, stepMs: number, adId = "ad_0") =>
    Array.from({ length: count }, (_, n) =>
      anEvent({ adId, visitor: `visitor${n}`, address: `a${n}`, occurredAt: NOON - n * stepMs }),
    );
  const count = (judgements: readonly string[]) => judgements.filter((one) => one === "fresh").length;

  describe(`${adapter}: judging events of any time`, () => {
    it.each([
      [2, 10_000],
      [3, 15_000],
      [50, 1_000],
      [64, 10_000],
      [500, 170_000],
    ])("finds each of %i events again, one each %i ms, in the next batch of them", async (events, step) => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 0 });

      const first = await judgementsOf(limits, apart(events, step), OF_ANY_TIME);
      const second = await judgementsOf(limits, apart(events, step), { ...OF_ANY_TIME, isLate: true });

      expect([count(first), count(second)]).toEqual([events, 0]);
    });

    it.each(["impression", "click"] as const)("finds each %s of one visitor again", async (kind) => {
      const limits = await fresh();
      const windowMs = kind === "click" ? 2_000 : 10_000;
      const events = [0, 1, 2, 3].map((n) => anEvent({ kind, occurredAt: NOON - n * windowMs }));

      const first = await judgementsOf(limits, events, OF_ANY_TIME);
      const second = await judgementsOf(limits, events.toReversed(), OF_ANY_TIME);

      expect([count(first), count(second)]).toEqual([4, 0]);
    });

    it("finds an event again after late ones of another ad", async () => {
      const limits = await fresh();

      await judgementsOf(limits, [anEvent({ occurredAt: NOON - 1_500 })], OF_ANY_TIME);
      await judgementsOf(limits, apart(20, 100_000, "ad_other"), { ...OF_ANY_TIME, isLate: true });

      const again = anEvent({ occurredAt: NOON - 1_500 });
      expect(await judgementsOf(limits, [again], OF_ANY_TIME)).toEqual(["duplicate"]);
    });

    it("compares them with events of now, whichever comes first", async () => {
      const limits = await fresh();
      const [early, late] = [anEvent({}), anEvent({ visitor: "another0visitor0" })];

      const first = await judgementsOf(limits, [early]);
      const reported = [anEvent({ occurredAt: NOON - 60_000 }), early, late];
      const second = await judgementsOf(limits, reported, OF_ANY_TIME);
      const third = await judgementsOf(limits, [late]);

      expect([first, second, third]).toEqual([["fresh"], ["fresh", "duplicate", "fresh"], ["duplicate"]]);
    });

    it("leaves no mark of an event whose batch was dropped", async () => {
      const limits = await fresh();
      const events = apart(5, 15_000);
      const failed = await limits.judge(events, { id: "dropped", ...OF_ANY_TIME });

      await failed.drop();

      expect(count(await judgementsOf(limits, events, OF_ANY_TIME))).toBe(5);
    });

    it("holds the limit of each minute, with events of now", async () => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 2, impressionWindowMs: 0 });
      const ofMinutes = [0, 1, 2, 3].map((n) => anEvent({ occurredAt: NOON - n * HOUR_MS }));

      await judgementsOf(limits, [anEvent({})]);
      const first = await judgementsOf(limits, ofMinutes, OF_ANY_TIME);
      const second = await judgementsOf(limits, [...ofMinutes, ...ofMinutes], OF_ANY_TIME);
      const now = await judgementsOf(limits, [anEvent({})]);

      expect(count(first)).toBe(4);
      expect(second).toEqual([
        "limited",
        "fresh",
        "fresh",
        "fresh",
        "limited",
        "limited",
        "limited",
        "limited",
      ]);
      expect(now).toEqual(["limited"]);
    });
  });
}
