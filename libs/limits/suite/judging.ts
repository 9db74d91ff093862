import { describe, expect, it } from "vitest";
import type { EventKind } from "#libs/domain/event.ts";
import { anEvent, type Fresh, judgementsOf, LIMITS, NO_WINDOWS, NOON } from "./events.ts";

const DAY_MS = 86_400_000;

/** How events are judged, case by case. */
export function describeJudging(adapter: string, fresh: Fresh): void {
  describe(`${adapter}: judging events`, () => {
    it("counts the first event and calls its repeat within the window a duplicate", async () => {
      const limits = await fresh();

      const judgements = await judgementsOf(limits, [
        anEvent({ occurredAt: NOON }),
        anEvent({ occurredAt: NOON + 9_999 }),
        anEvent({ occurredAt: NOON + 10_000 }),
      ]);

      expect(judgements).toEqual(["fresh", "duplicate", "fresh"]);
    });

    it("measures the window from the last event that counted, so duplicates do not prolong it", async () => {
      const limits = await fresh();

      const judgements = await judgementsOf(
        limits,
        [0, 6_000, 11_000, 12_000].map((after) => anEvent({ occurredAt: NOON + after })),
      );

      expect(judgements).toEqual(["fresh", "duplicate", "fresh", "duplicate"]);
    });

    it("gives clicks a window of their own", async () => {
      const limits = await fresh();

      const judgements = await judgementsOf(limits, [
        anEvent({ kind: "impression", occurredAt: NOON }),
        anEvent({ kind: "click", occurredAt: NOON }),
        anEvent({ kind: "click", occurredAt: NOON + 1_999 }),
        anEvent({ kind: "click", occurredAt: NOON + 2_000 }),
      ]);

      expect(judgements).toEqual(["fresh", "fresh", "duplicate", "fresh"]);
    });

    it("tells visitors and ads apart", async () => {
      const limits = await fresh();

      const judgements = await judgementsOf(limits, [
        anEvent({}),
        anEvent({ visitor: "another0visitor0" }),
        anEvent({ adId: "ad_other" }),
      ]);

      expect(judgements).toEqual(["fresh", "fresh", "fresh"]);
    });

    it("lets events that cannot count neither be nor make duplicates", async () => {
      const limits = await fresh();

      const judgements = await judgementsOf(limits, [
        anEvent({ countable: false }),
        anEvent({ countable: true }),
        anEvent({ countable: false }),
      ]);

      expect(judgements).toEqual(["fresh", "fresh", "fresh"]);
    });

    it("takes from an address's limit for duplicates and for events that cannot count", async () => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 3 });

      const judgements = await judgementsOf(limits, [
        anEvent({}),
        anEvent({}),
        anEvent({ countable: false }),
        anEvent({ visitor: "another0visitor0" }),
      ]);

      expect(judgements).toEqual(["fresh", "duplicate", "fresh", "limited"]);
    });

    it("holds the limit of an address whatever visitor it claims to be, until the next minute", async () => {
      const limits = await fresh();
      const visits = Array.from({ length: 31 }, (_, n) => anEvent({ visitor: `visitor${n}` }));

      const judgements = await judgementsOf(limits, visits);
      const [nextMinute] = await judgementsOf(limits, [
        anEvent({ visitor: "visitor31", occurredAt: NOON + 30_000 }),
      ]);

      expect(judgements.filter((one) => one === "fresh")).toHaveLength(30);
      expect(judgements.at(-1)).toBe("limited");
      expect(nextMinute).toBe("fresh");
    });

    it("has a limit for clicks that impressions do not touch", async () => {
      const limits = await fresh(NO_WINDOWS);
      const clicks = Array.from({ length: 11 }, () => anEvent({ kind: "click" }));

      await judgementsOf(
        limits,
        Array.from({ length: 30 }, () => anEvent({})),
      );
      const judgements = await judgementsOf(limits, clicks);

      expect(judgements).toEqual([...Array<string>(10).fill("fresh"), "limited"]);
    });

    it("has no limit and no window where they are 0", async () => {
      const limits = await fresh({
        impressionsPerMinute: 0,
        clicksPerMinute: 0,
        impressionWindowMs: 0,
        clickWindowMs: 0,
      });

      const judgements = await judgementsOf(
        limits,
        Array.from({ length: 500 }, () => anEvent({})),
      );

      expect(new Set(judgements)).toEqual(new Set(["fresh"]));
    });

    it("takes the limit that an event brings before its own, and its own where an event brings none", async () => {
      const limits = await fresh({ ...NO_WINDOWS, impressionsPerMinute: 2, clicksPerMinute: 0 });
      const ofAd = (adId: string, limit: number | null, kind: EventKind = "impression") =>
        Array.from({ length: 4 }, () => anEvent({ adId, limit, kind }));

      const judgements = await judgementsOf(limits, [
        ...ofAd("ad_lower", 1),
        ...ofAd("ad_higher", 3),
        ...ofAd("ad_off", 0),
        ...ofAd("ad_usual", null),
        ...ofAd("ad_click", 2, "click"),
      ]);

      const passed = Array.from({ length: 5 }, (_, ad) =>
        judgements.slice(4 * ad, 4 * ad + 4).map((judgement) => judgement === "fresh"),
      );
      expect(passed).toEqual([
        [true, false, false, false],
        [true, true, true, false],
        [true, true, true, true],
        [true, true, false, false],
        [true, true, false, false],
      ]);
    });

    it("holds a limit that changes for the minute under way, and takes nothing for what it refused", async () => {
      const limits = await fresh(NO_WINDOWS);
      const changing = [2, 2, 2, 2, 3, 3, 1, 4].map((limit) => anEvent({ limit }));

      const judgements = await judgementsOf(limits, changing);

      expect(judgements).toEqual([
        "fresh",
        "fresh",
        "limited",
        "limited",
        "fresh",
        "limited",
        "limited",
        "fresh",
      ]);
    });

    it("keeps the counts of a minute for events that come late, after the next has begun", async () => {
      const limits = await fresh({ ...NO_WINDOWS, impressionsPerMinute: 1 });

      const judgements = await judgementsOf(
        limits,
        [NOON, NOON + 31_000, NOON + 1, NOON + 31_001].map((occurredAt) => anEvent({ occurredAt })),
      );

      expect(judgements).toEqual(["fresh", "fresh", "limited", "limited"]);
    });

    it("keeps them for every ad, also after an event that came late", async () => {
      const limits = await fresh({ ...NO_WINDOWS, impressionsPerMinute: 2 });
      const lateOfOne = [NOON, NOON + 31_000, NOON + 1].map((occurredAt) => anEvent({ occurredAt }));
      const ofAnother = [NOON, NOON].map((occurredAt) => anEvent({ occurredAt, adId: "ad_other" }));

      await judgementsOf(limits, [...ofAnother, ...lateOfOne]);
      const [judgement] = await judgementsOf(limits, [anEvent({ occurredAt: NOON + 2, adId: "ad_other" })]);

      expect(judgement).toBe("limited");
    });

    it("continues to judge when the clock jumps a day back or ahead", async () => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 2 });
      const jumps = [NOON, NOON - DAY_MS, NOON - DAY_MS + 1, NOON + DAY_MS, NOON + DAY_MS + 1];

      const judgements = await judgementsOf(
        limits,
        jumps.map((occurredAt) => anEvent({ occurredAt })),
      );

      expect(judgements).toEqual(["fresh", "fresh", "duplicate", "fresh", "duplicate"]);
    });

    it("judges an empty batch", async () => {
      const limits = await fresh();

      await expect(judgementsOf(limits, [])).resolves.toEqual([]);
    });
  });
}
