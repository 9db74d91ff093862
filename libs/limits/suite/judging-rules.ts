import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventToJudge } from "../port.ts";
import { type Fresh, judgementsOf, LIMITS, NOON } from "./events.ts";

/** What holds of any events whatever. */
export function describeJudgingRules(adapter: string, fresh: Fresh): void {
  describe(`${adapter}: judging any events`, () => {
    it("never lets more than the limit through for an address, ad and minute", async () => {
      await fc.assert(
        fc.asyncProperty(someEvents(), fc.integer({ min: 1, max: 5 }), async (events, limit) => {
          const limits = await fresh({ ...LIMITS, impressionsPerMinute: limit, clicksPerMinute: limit });

          const judgements = await judgementsOf(limits, events);

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

          const judgements = await judgementsOf(limits, events);

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

          const judgements = await judgementsOf(together, events);
          const ofOurs = await judgementsOf(alone, events.filter(isOurs));

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

          const atOnce = await judgementsOf(whole, events);
          const piecemeal = [];
          for (let from = 0; from < events.length; from += size) {
            piecemeal.push(...(await judgementsOf(inPieces, events.slice(from, from + size))));
          }

          expect(piecemeal).toEqual(atOnce);
        }),
        { numRuns: 40 },
      );
    });
  });
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
    limit: fc.constant(null),
  });
  return fc
    .array(
      // A visitor has one address, or is another.
      one.map((event) => ({ ...event, visitor: `${event.address}${event.visitor}` })),
      { maxLength: 60 },
    )
    .map((events) => events.sort((left, right) => left.occurredAt - right.occurredAt));
}
