import { describe, expect, it } from "vitest";
import { type Fresh, judgementsOf, NOON, type Visit } from "./events.ts";

const HOUR_MS = 3_600_000;

/** How events are judged, case by case. */
export function describeCases(adapter: string, fresh: Fresh): void {
  describe(`${adapter}: judging events`, () => {
    it.each<[string, Visit[], string[]]>([
      [
        "calls the repeat of an event within the window a duplicate",
        [0, 9_999, 10_000].map((after) => ({ occurredAt: NOON + after })),
        ["fresh", "duplicate", "fresh"],
      ],
      [
        "measures the window from the event that counted, so duplicates do not prolong it",
        [0, 6_000, 11_000, 12_000].map((after) => ({ occurredAt: NOON + after })),
        ["fresh", "duplicate", "fresh", "duplicate"],
      ],
      [
        "finds a duplicate that is read before its original's time, too",
        [0, -9_999, -10_000].map((after) => ({ occurredAt: NOON + after })),
        ["fresh", "duplicate", "fresh"],
      ],
      [
        "gives clicks a window of their own",
        [
          { kind: "impression", occurredAt: NOON },
          ...[0, 1_999, 2_000].map((after) => ({ kind: "click" as const, occurredAt: NOON + after })),
        ],
        ["fresh", "fresh", "duplicate", "fresh"],
      ],
      [
        "tells visitors and ads apart",
        [{}, { visitor: "another0visitor0" }, { adId: "ad_other" }],
        ["fresh", "fresh", "fresh"],
      ],
      [
        "lets events that cannot count neither be nor make duplicates",
        [{ visitor: null }, {}, { visitor: null }],
        ["fresh", "fresh", "fresh"],
      ],
      [
        "recognizes a visitor who asks for privacy in its window and the next",
        [0, 9_999, 10_000, 4_000].map((after) => ({ isPrivate: true, occurredAt: NOON + after })),
        ["fresh", "duplicate", "fresh", "duplicate"],
      ],
      [
        "takes from a limit for duplicates and for events that cannot count",
        [{}, {}, { visitor: null }, { visitor: "another0visitor0" }].map((visit) => ({ ...visit, limit: 3 })),
        ["fresh", "duplicate", "fresh", "limited"],
      ],
      [
        "holds a limit that changes for the minute under way, and takes nothing for what it refused",
        [2, 2, 2, 2, 3, 3, 1, 4].map((limit) => ({ limit, windowMs: 0 })),
        ["fresh", "fresh", "limited", "limited", "fresh", "limited", "limited", "fresh"],
      ],
      [
        "keeps the count of a minute for events that come late, after the next has begun",
        [0, 31_000, 1, 31_001].map((after) => ({ occurredAt: NOON + after, limit: 1, windowMs: 0 })),
        ["fresh", "fresh", "limited", "limited"],
      ],
      [
        "counts late events and those of now against one limit",
        [5, 90_000, 5, 90_000].map((lateMs) => ({ lateMs, limit: 3, windowMs: 0 })),
        ["fresh", "fresh", "fresh", "limited"],
      ],
      ["judges no events", [], []],
    ])("%s", async (_, visits, expected) => {
      expect(await judgementsOf(fresh(), visits)).toEqual(expected);
    });

    it("leaves no mark for an event that is over its limit", async () => {
      const judge = fresh();

      await judgementsOf(judge, [{ limit: 1, visitor: "v0" }]);
      const limited = await judgementsOf(judge, [{ limit: 1, visitor: "v1" }]);
      const later = await judgementsOf(judge, [{ visitor: "v1" }]);

      expect([limited, later]).toEqual([["limited"], ["fresh"]]);
    });
  });

  describe(`${adapter}: judging what servers report in batches`, () => {
    const apart = (count: number, stepMs: number, visit: Visit = {}): Visit[] =>
      Array.from({ length: count }, (_, n) => ({
        visitor: `visitor${n}`,
        occurredAt: NOON - n * stepMs,
        lateMs: n * stepMs,
        ...visit,
      }));
    const countOf = (judgements: readonly string[]) => judgements.filter((one) => one === "fresh").length;

    it.each([
      [2, 10_000],
      [3, 15_000],
      [50, 1_000],
      [64, 10_000],
      [500, 170_000],
    ])("finds each of %i events again, one each %i ms, in the next batch of them", async (events, step) => {
      const judge = fresh();

      const first = await judgementsOf(judge, apart(events, step));
      const second = await judgementsOf(judge, apart(events, step));

      expect([countOf(first), countOf(second)]).toEqual([events, 0]);
    });

    it.each(["impression", "click"] as const)("finds each %s of one visitor again", async (kind) => {
      const judge = fresh();
      const windowMs = kind === "click" ? 2_000 : 10_000;
      const visits = apart(64, windowMs, { kind, visitor: "v0" });

      const first = await judgementsOf(judge, visits);
      const second = await judgementsOf(judge, visits.toReversed());

      expect([countOf(first), countOf(second)]).toEqual([64, 0]);
    });

    it("counts readers who reload on another server, which report thirty seconds each, once", async () => {
      const judge = fresh();
      const visits = apart(10, 3_000);
      const reloads = visits.map((visit) => ({ ...visit, occurredAt: (visit.occurredAt ?? 0) + 3_000 }));

      const first = await judgementsOf(judge, visits);
      const second = await judgementsOf(judge, reloads);

      expect([countOf(first), countOf(second)]).toEqual([10, 0]);
    });

    it("finds an event again after late ones of another ad", async () => {
      const judge = fresh();
      await judgementsOf(judge, [{}]);
      await judgementsOf(judge, apart(1_000, 100_000, { adId: "ad_other" }));

      expect(await judgementsOf(judge, [{ lateMs: 3_000 }])).toEqual(["duplicate"]);
    });

    it("compares late events with events of now, whichever comes first", async () => {
      const judge = fresh();
      const [early, late] = [{}, { visitor: "another0visitor0" }];

      const first = await judgementsOf(judge, [early]);
      const reported = [{ occurredAt: NOON - 60_000 }, early, late].map((visit) => ({
        ...visit,
        lateMs: 90_000,
      }));
      const second = await judgementsOf(judge, reported);
      const third = await judgementsOf(judge, [late]);

      expect([first, second, third]).toEqual([["fresh"], ["fresh", "duplicate", "fresh"], ["duplicate"]]);
    });

    it("holds the limit of each minute", async () => {
      const judge = fresh();
      const ofMinutes = [0, 1, 2, 3].map((n) => ({
        occurredAt: NOON - n * HOUR_MS,
        lateMs: n * HOUR_MS,
        limit: 2,
        windowMs: 0,
      }));

      const first = await judgementsOf(judge, ofMinutes);
      const second = await judgementsOf(judge, [...ofMinutes, ...ofMinutes]);

      expect([countOf(first), countOf(second)]).toEqual([4, 4]);
    });
  });
}
