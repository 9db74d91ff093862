import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { hashId } from "../directory/prepared-snapshot.ts";
import { createSeed, drawUnit, orderByWeight } from "./weighted-order.ts";

const aSeed = (window: number) => createSeed("a secret for tests", [window, "workspace", "filters"]);

/** Fixed ids, so that a statistical test gives the same figures on every run. */
function items(weights: readonly number[]) {
  return weights.map((weight, index) => {
    const id = `ad_${String(index).padStart(26, "0")}`;
    return { id, idHash: hashId(id), weight };
  });
}

/** Pearson's statistic of observed counts against expected shares. */
function chiSquare(counts: readonly number[], shares: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return shares.reduce((sum, share, index) => {
    const expected = share * total;
    return sum + ((counts[index] ?? 0) - expected) ** 2 / expected;
  }, 0);
}

const WINDOWS = 40_000;
/** Beyond these a fair draw falls once in a thousand, by degrees of freedom. */
const CRITICAL = { 3: 16.27, 4: 18.47, 99: 148.23 };

describe("weighted order", () => {
  it("gives each ad the first place as often as its share of the weights", () => {
    const weights = [1, 2, 3, 4, 10];
    const ads = items(weights);
    const firsts = new Map<string, number>();

    for (let window = 0; window < WINDOWS; window += 1) {
      const first = orderByWeight(ads, aSeed(window))[0]?.id ?? "";
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
    }

    const counts = ads.map(({ id }) => firsts.get(id) ?? 0);
    expect(
      chiSquare(
        counts,
        weights.map((weight) => weight / 20),
      ),
    ).toBeLessThan(CRITICAL[4]);
  });

  it("gives the second place by the weights of those that are left", () => {
    const ads = items([1, 2, 3, 4, 10]);
    const seconds = new Map<string, number>();

    for (let window = 0; window < WINDOWS; window += 1) {
      const [first, second] = orderByWeight(ads, aSeed(window));
      if (first?.weight === 10) seconds.set(second?.id ?? "", (seconds.get(second?.id ?? "") ?? 0) + 1);
    }

    const rest = ads.slice(0, 4);
    const counts = rest.map(({ id }) => seconds.get(id) ?? 0);
    expect(
      chiSquare(
        counts,
        rest.map(({ weight }) => weight / 10),
      ),
    ).toBeLessThan(CRITICAL[3]);
  });

  it("draws evenly over the interval", () => {
    const counts = Array.from({ length: 100 }, () => 0);

    for (let window = 0; window < WINDOWS; window += 1) {
      const bucket = Math.floor(drawUnit(aSeed(window), hashId("ad")) * 100);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }

    expect(
      chiSquare(
        counts,
        counts.map(() => 0.01),
      ),
    ).toBeLessThan(CRITICAL[99]);
  });

  it("draws independently for two ads and for two seeds", () => {
    const [one, other] = [hashId("one"), hashId("other")];
    const quadrants = [0, 0, 0, 0];

    for (let window = 0; window < WINDOWS; window += 1) {
      const seed = aSeed(window);
      const quadrant = (drawUnit(seed, one) < 0.5 ? 0 : 1) + (drawUnit(seed, other) < 0.5 ? 0 : 2);
      quadrants[quadrant] = (quadrants[quadrant] ?? 0) + 1;
    }

    expect(chiSquare(quadrants, [0.25, 0.25, 0.25, 0.25])).toBeLessThan(CRITICAL[3]);
  });

  it("never draws 0 or 1, whatever the bits", () => {
    const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

    fc.assert(
      fc.property(fc.tuple(word, word, word, word), word, word, (seed, high, low) => {
        const unit = drawUnit(seed, { high, low });
        expect(unit).toBeGreaterThan(0);
        expect(unit).toBeLessThan(1);
      }),
    );
  });

  it("keeps weights of any size apart and in order", () => {
    const [subnormal, tiny, one, huge] = [5e-324, 1e-300, 1, 1e300];
    const ads = items([one, subnormal, huge, tiny]);

    for (let window = 0; window < 200; window += 1) {
      const order = orderByWeight(ads, aSeed(window)).map(({ weight }) => weight);
      expect(order).toEqual([huge, one, tiny, subnormal]);
    }
  });

  it("shares first places evenly among equal weights at either end of the range", () => {
    for (const weight of [5e-324, 1.7e308]) {
      const ads = items([weight, weight, weight, weight, weight]);
      const counts = ads.map(() => 0);

      for (let window = 0; window < 10_000; window += 1) {
        const first = ads.findIndex(({ id }) => id === orderByWeight(ads, aSeed(window))[0]?.id);
        counts[first] = (counts[first] ?? 0) + 1;
      }

      expect(
        chiSquare(
          counts,
          counts.map(() => 0.2),
        ),
      ).toBeLessThan(CRITICAL[4]);
    }
  });

  it("is a permutation that does not depend on the order it was given, and of which a part is the beginning", () => {
    const someAds = fc.array(fc.double({ min: 5e-324, max: 1.7e308, noNaN: true }), { maxLength: 40 });

    fc.assert(
      fc.property(someAds, fc.integer(), fc.nat(20), (weights, window, count) => {
        const ads = weights
          .map((weight) => ({ id: newId("ad"), weight }))
          .map((ad) => ({ ...ad, idHash: hashId(ad.id) }));
        const order = orderByWeight(ads, aSeed(window));
        expect(new Set(order)).toEqual(new Set(ads));
        expect(order).toHaveLength(ads.length);
        expect(orderByWeight(ads.toReversed(), aSeed(window))).toEqual(order);
        expect(orderByWeight(ads, aSeed(window), count)).toEqual(order.slice(0, count));
      }),
    );
  });
});
