import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { EventToJudge, Limits, TrackingLimits } from "./port.ts";

/** A moment in the middle of a minute, so that tests choose when they cross into the next. */
const NOON = Date.UTC(2026, 10, 21, 12, 0, 30);
const DAY_MS = 86_400_000;
const LIMITS: TrackingLimits = {
  impressionsPerMinute: 30,
  clicksPerMinute: 10,
  impressionWindowMs: 10_000,
  clickWindowMs: 2_000,
};
const NO_WINDOWS: TrackingLimits = { ...LIMITS, impressionWindowMs: 0, clickWindowMs: 0 };

/** What every adapter of the port does. `open` gives limits that have seen nothing yet; they are closed afterwards. */
export function describeLimits(adapter: string, open: (limits: TrackingLimits) => Promise<Limits>): void {
  const opened: Limits[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((limits) => limits.close()));
  });

  async function fresh(limits: TrackingLimits = LIMITS): Promise<Limits> {
    const made = await open(limits);
    opened.push(made);
    return made;
  }

  describe(`${adapter}: judging events`, () => {
    it("counts the first event and calls its repeat within the window a duplicate", async () => {
      const limits = await fresh();

      const judgements = await limits.judge([
        anEvent({ occurredAt: NOON }),
        anEvent({ occurredAt: NOON + 9_999 }),
        anEvent({ occurredAt: NOON + 10_000 }),
      ]);

      expect(judgements).toEqual(["fresh", "duplicate", "fresh"]);
    });

    it("measures the window from the last event that counted, so duplicates do not prolong it", async () => {
      const limits = await fresh();

      const judgements = await limits.judge(
        [0, 6_000, 11_000, 12_000].map((after) => anEvent({ occurredAt: NOON + after })),
      );

      expect(judgements).toEqual(["fresh", "duplicate", "fresh", "duplicate"]);
    });

    it("gives clicks a window of their own", async () => {
      const limits = await fresh();

      const judgements = await limits.judge([
        anEvent({ kind: "impression", occurredAt: NOON }),
        anEvent({ kind: "click", occurredAt: NOON }),
        anEvent({ kind: "click", occurredAt: NOON + 1_999 }),
        anEvent({ kind: "click", occurredAt: NOON + 2_000 }),
      ]);

      expect(judgements).toEqual(["fresh", "fresh", "duplicate", "fresh"]);
    });

    it("tells visitors and ads apart", async () => {
      const limits = await fresh();

      const judgements = await limits.judge([
        anEvent({}),
        anEvent({ visitor: "another0visitor0" }),
        anEvent({ adId: "ad_other" }),
      ]);

      expect(judgements).toEqual(["fresh", "fresh", "fresh"]);
    });

    it("lets events that cannot count neither be nor make duplicates", async () => {
      const limits = await fresh();

      const judgements = await limits.judge([
        anEvent({ countable: false }),
        anEvent({ countable: true }),
        anEvent({ countable: false }),
      ]);

      expect(judgements).toEqual(["fresh", "fresh", "fresh"]);
    });

    it("takes from an address's limit for duplicates and for events that cannot count", async () => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 3 });

      const judgements = await limits.judge([
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

      const judgements = await limits.judge(visits);
      const [nextMinute] = await limits.judge([anEvent({ visitor: "visitor31", occurredAt: NOON + 30_000 })]);

      expect(judgements.filter((one) => one === "fresh")).toHaveLength(30);
      expect(judgements.at(-1)).toBe("limited");
      expect(nextMinute).toBe("fresh");
    });

    it("has a limit for clicks that impressions do not touch", async () => {
      const limits = await fresh(NO_WINDOWS);
      const clicks = Array.from({ length: 11 }, () => anEvent({ kind: "click" }));

      await limits.judge(Array.from({ length: 30 }, () => anEvent({})));
      const judgements = await limits.judge(clicks);

      expect(judgements).toEqual([...Array<string>(10).fill("fresh"), "limited"]);
    });

    it("has no limit and no window where they are 0", async () => {
      const limits = await fresh({
        impressionsPerMinute: 0,
        clicksPerMinute: 0,
        impressionWindowMs: 0,
        clickWindowMs: 0,
      });

      const judgements = await limits.judge(Array.from({ length: 500 }, () => anEvent({})));

      expect(new Set(judgements)).toEqual(new Set(["fresh"]));
    });

    it("keeps the counts of a minute for events that come late, after the next has begun", async () => {
      const limits = await fresh({ ...NO_WINDOWS, impressionsPerMinute: 1 });

      const judgements = await limits.judge(
        [NOON, NOON + 31_000, NOON + 1, NOON + 31_001].map((occurredAt) => anEvent({ occurredAt })),
      );

      expect(judgements).toEqual(["fresh", "fresh", "limited", "limited"]);
    });

    it("keeps them for every ad, also after an event that came late", async () => {
      const limits = await fresh({ ...NO_WINDOWS, impressionsPerMinute: 2 });
      const lateOfOne = [NOON, NOON + 31_000, NOON + 1].map((occurredAt) => anEvent({ occurredAt }));
      const ofAnother = [NOON, NOON].map((occurredAt) => anEvent({ occurredAt, adId: "ad_other" }));

      await limits.judge([...ofAnother, ...lateOfOne]);
      const [judgement] = await limits.judge([anEvent({ occurredAt: NOON + 2, adId: "ad_other" })]);

      expect(judgement).toBe("limited");
    });

    it("goes on judging when the clock jumps a day back or ahead", async () => {
      const limits = await fresh({ ...LIMITS, impressionsPerMinute: 2 });
      const jumps = [NOON, NOON - DAY_MS, NOON - DAY_MS + 1, NOON + DAY_MS, NOON + DAY_MS + 1];

      const judgements = await limits.judge(jumps.map((occurredAt) => anEvent({ occurredAt })));

      expect(judgements).toEqual(["fresh", "fresh", "duplicate", "fresh", "duplicate"]);
    });

    it("judges an empty batch", async () => {
      const limits = await fresh();

      await expect(limits.judge([])).resolves.toEqual([]);
    });

    it("never lets more than the limit through for an address, ad and minute", async () => {
      await fc.assert(
        fc.asyncProperty(someEvents(), fc.integer({ min: 1, max: 5 }), async (events, limit) => {
          const limits = await fresh({ ...LIMITS, impressionsPerMinute: limit, clicksPerMinute: limit });

          const judgements = await limits.judge(events);

          const accepted = new Map<string, number>();
          for (const [index, { kind, address, adId, occurredAt }] of events.entries()) {
            if (judgements[index] === "limited") continue;
            const key = [kind, address, adId, Math.floor(occurredAt / 60_000)].join();
            accepted.set(key, (accepted.get(key) ?? 0) + 1);
          }
          expect(Math.max(0, ...accepted.values())).toBeLessThanOrEqual(limit);
        }),
        { numRuns: 40 },
      );
    });

    it("never counts one visitor, ad and kind twice within a window", async () => {
      await fc.assert(
        fc.asyncProperty(someEvents(), async (events) => {
          const limits = await fresh({ ...LIMITS, impressionsPerMinute: 0, clicksPerMinute: 0 });

          const judgements = await limits.judge(events);

          const last = new Map<string, number>();
          for (const [index, { kind, visitor, adId, occurredAt, countable }] of events.entries()) {
            if (!countable || judgements[index] !== "fresh") continue;
            const key = [kind, visitor, adId].join();
            const since = occurredAt - (last.get(key) ?? Number.NEGATIVE_INFINITY);
            expect(since).toBeGreaterThanOrEqual(kind === "click" ? 2_000 : 10_000);
            last.set(key, occurredAt);
          }
        }),
        { numRuns: 40 },
      );
    });

    it("judges an ad's events alike whatever happens to other ads", async () => {
      await fc.assert(
        fc.asyncProperty(someEvents(), async (events) => {
          const together = await fresh({ ...LIMITS, impressionsPerMinute: 3 });
          const alone = await fresh({ ...LIMITS, impressionsPerMinute: 3 });
          const isOurs = (event: EventToJudge) => event.adId === "ad_0";

          const judgements = await together.judge(events);
          const ofOurs = await alone.judge(events.filter(isOurs));

          expect(judgements.filter((_, index) => events[index]?.adId === "ad_0")).toEqual(ofOurs);
        }),
        { numRuns: 40 },
      );
    });

    it("judges alike however events are cut into batches", async () => {
      await fc.assert(
        fc.asyncProperty(someEvents(), fc.integer({ min: 1, max: 7 }), async (events, size) => {
          const whole = await fresh({ ...LIMITS, impressionsPerMinute: 3 });
          const inPieces = await fresh({ ...LIMITS, impressionsPerMinute: 3 });

          const atOnce = await whole.judge(events);
          const piecemeal = [];
          for (let from = 0; from < events.length; from += size) {
            piecemeal.push(...(await inPieces.judge(events.slice(from, from + size))));
          }

          expect(piecemeal).toEqual(atOnce);
        }),
        { numRuns: 40 },
      );
    });
  });

  describe(`${adapter}: budgets`, () => {
    const rule = { name: "calls", points: 5, durationSeconds: 60 };

    it("allows exactly the points of a rule, however many ask at once", async () => {
      const limits = await fresh();

      const verdicts = await Promise.all(Array.from({ length: 50 }, () => limits.consume(rule, "key_a")));

      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
      expect(verdicts.map(({ remaining }) => remaining).slice(0, 6)).toEqual([4, 3, 2, 1, 0, 0]);
    });

    it("says how long until the budget is whole again, in milliseconds", async () => {
      const limits = await fresh();

      const verdict = await limits.consume(rule, "key_a");

      expect(verdict).toMatchObject({ allowed: true, limit: 5, remaining: 4 });
      expect(verdict.resetMs).toBeGreaterThan(50_000);
      expect(verdict.resetMs).toBeLessThanOrEqual(60_000);
    });

    it("keeps keys and rules apart", async () => {
      const limits = await fresh();
      const single = { ...rule, points: 1 };
      await limits.consume(single, "key_a");

      const again = await limits.consume(single, "key_a");
      const otherKey = await limits.consume(single, "key_b");
      const otherRule = await limits.consume({ ...single, name: "checkouts" }, "key_a");

      expect([again, otherKey, otherRule].map(({ allowed }) => allowed)).toEqual([false, true, true]);
    });

    it("is whole again after its duration", async () => {
      const limits = await fresh();
      const short = { name: "short", points: 1, durationSeconds: 1 };
      await limits.consume(short, "key_a");

      const refused = await limits.consume(short, "key_a");

      expect(refused.allowed).toBe(false);
      await expect
        .poll(async () => (await limits.consume(short, "key_a")).allowed, { timeout: 5_000 })
        .toBe(true);
    });

    it("refuses nothing under a rule of 0 points", async () => {
      const limits = await fresh();

      const verdict = await limits.consume({ ...rule, points: 0 }, "key_a");

      expect(verdict.allowed).toBe(true);
    });
  });

  describe(`${adapter}: the day's salt`, () => {
    it("gives everyone who asks at once the same 32 bytes", async () => {
      const limits = await fresh();

      const salts = await Promise.all(Array.from({ length: 20 }, () => limits.visitorSalt("2026-11-21")));

      expect(new Set(salts).size).toBe(1);
      expect(salts[0]).toMatch(/^[0-9a-f]{64}$/);
    });

    it("makes a new one for another day, and still knows today's", async () => {
      const limits = await fresh();
      const today = await limits.visitorSalt("2026-11-21");

      const tomorrow = await limits.visitorSalt("2026-11-22");
      const todayAgain = await limits.visitorSalt("2026-11-21");

      expect(tomorrow).not.toBe(today);
      expect(todayAgain).toBe(today);
    });
  });
}

function anEvent(event: Partial<EventToJudge>): EventToJudge {
  return {
    adId: "ad_0",
    kind: "impression",
    address: "a1b2c3d4e5f60718",
    visitor: "0123456789abcdef",
    countable: true,
    occurredAt: NOON,
    ...event,
  };
}

/** Events of few ads and visitors over some minutes, in the order of their times. */
function someEvents(): fc.Arbitrary<EventToJudge[]> {
  const one = fc.record({
    adId: fc.constantFrom("ad_0", "ad_1"),
    kind: fc.constantFrom("impression" as const, "click" as const),
    address: fc.constantFrom("a0", "a1"),
    visitor: fc.constantFrom("v0", "v1", "v2"),
    countable: fc.boolean(),
    occurredAt: fc.integer({ min: NOON, max: NOON + 100_000 }),
  });
  return fc
    .array(one, { maxLength: 60 })
    .map((events) => events.sort((left, right) => left.occurredAt - right.occurredAt));
}
