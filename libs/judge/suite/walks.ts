import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Judgement } from "../port.ts";
import { anEvent, aRange, type Fresh, judgementsOf, NOON, type Visit } from "./events.ts";
import { createModel } from "./model.ts";

/** What holds of any events whatever, in whatever order they are read. */
export function describeWalks(adapter: string, fresh: Fresh, numRuns: number): void {
  describe(`${adapter}: judging any events in any order`, () => {
    it("judges as the model does, however events are cut into lists", async () => {
      await fc.assert(
        fc.asyncProperty(someVisits(), fc.integer({ min: 1, max: 9 }), async (visits, size) => {
          const judge = fresh();
          const model = createModel();

          const judgements: Judgement[] = [];
          for (let from = 0; from < visits.length; from += size)
            judgements.push(...(await judgementsOf(judge, visits.slice(from, from + size))));

          expect(judgements).toEqual(
            visits.map((visit) => model({ ...anEvent(visit), name: nameOf(visit) })),
          );
        }),
        { numRuns },
      );
    });

    it("counts no two events of a visitor, ad and kind within the window, and calls none a duplicate without one that counts", async () => {
      await fc.assert(
        fc.asyncProperty(someVisits(), async (visits) => {
          const judgements = await judgementsOf(fresh(), visits);

          const valid = visits.filter((visit, n) => judgements[n] === "fresh" && nameOf(visit) !== null);
          const isNear = (one: Visit) => (other: Visit) =>
            one !== other && keyOf(one) === keyOf(other) && distance(one, other) < windowOf(one);
          expect(valid.filter((visit) => valid.some(isNear(visit)))).toEqual([]);
          const duplicates = visits.filter((_, n) => judgements[n] === "duplicate");
          expect(duplicates.filter((visit) => !valid.some(isNear(visit)))).toEqual([]);
        }),
        { numRuns },
      );
    });

    it("lets exactly the limit of an address, ad, kind and minute through, if as many come", async () => {
      await fc.assert(
        fc.asyncProperty(someVisits(), fc.integer({ min: 1, max: 5 }), async (visits, limit) => {
          const limited = visits.map((visit) => ({ ...visit, limit }));

          const judgements = await judgementsOf(fresh(), limited);

          const [sent, passed] = [new Map<string, number>(), new Map<string, number>()];
          for (const [n, visit] of limited.entries()) {
            const { limitKey } = anEvent(visit);
            sent.set(limitKey, (sent.get(limitKey) ?? 0) + 1);
            if (judgements[n] !== "limited") passed.set(limitKey, (passed.get(limitKey) ?? 0) + 1);
          }
          expect(passed).toEqual(new Map([...sent].map(([key, count]) => [key, Math.min(count, limit)])));
        }),
        { numRuns },
      );
    });

    it("gives the same judgements again for the same range, and another sees its events once", async () => {
      await fc.assert(
        fc.asyncProperty(someVisits(), async (visits) => {
          const judge = fresh();
          const model = createModel();
          const limited = visits.map((visit) => ({ ...visit, limit: 3 }));
          const modelled = () => limited.map((visit) => model({ ...anEvent(visit), name: nameOf(visit) }));

          const first = await judge.judge(limited.map(anEvent), aRange(1));
          const again = await judge.judge(limited.map(anEvent), aRange(1));
          const another = await judgementsOf(judge, limited);

          expect([first, again]).toEqual(Array(2).fill(modelled()));
          expect(another).toEqual(modelled());
        }),
        { numRuns },
      );
    });
  });
}

function nameOf({ visitor, isPrivate = false }: Visit): string | null {
  return visitor === null ? null : `${visitor} ${isPrivate}`;
}

function keyOf(visit: Visit): string {
  return [visit.adId, visit.kind, nameOf(visit)].join();
}

function windowOf(visit: Visit): number {
  return anEvent(visit).windowMs;
}

function distance(one: Visit, other: Visit): number {
  return Math.abs((one.occurredAt ?? 0) - (other.occurredAt ?? 0));
}

/** Lists of up to 60 visits of three visitors to two ads within 100 s, some of them late, in no order. */
function someVisits(): fc.Arbitrary<Visit[]> {
  const one = fc.record({
    adId: fc.constantFrom("ad_0", "ad_1"),
    kind: fc.constantFrom("impression" as const, "click" as const),
    address: fc.constantFrom("a0", "a1"),
    visitor: fc.option(fc.constantFrom("v0", "v1", "v2"), { freq: 9 }),
    isPrivate: fc.boolean(),
    occurredAt: fc.integer({ min: NOON, max: NOON + 100_000 }),
    lateMs: fc.constantFrom(5, 5, 5, -200, 90_000, 4 * 3_600_000),
    limit: fc.constantFrom(0, 0, 4),
  });
  return fc.array(one, { maxLength: 60 });
}
