import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  median,
  pairedRatio,
  percentile,
  percentiles,
  significant,
  slopeOf,
  spreadOf,
} from "./statistics.ts";

describe("median", () => {
  it("takes the middle value, whatever the order", () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it("takes the mean of the two in the middle of an even number", () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });

  it("has as many values above it as below it", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const middle = median(values);

        expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2);
        expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });

  it("refuses an empty list", () => {
    expect(() => median([])).toThrow("no median");
  });
});

describe("spreadOf", () => {
  it("tells the lowest and the highest beside the median", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  });
});

describe("pairedRatio", () => {
  it("compares within each round, so that drift over the rounds cancels out", () => {
    const baseline = [100, 50, 25];
    const subject = [90, 45, 22.5];

    expect(pairedRatio(subject, baseline)).toEqual({ median: 0.9, min: 0.9, max: 0.9 });
  });

  it("refuses rounds without a partner", () => {
    expect(() => pairedRatio([1, 2], [1])).toThrow("Each round");
  });
});

describe("significant", () => {
  it("keeps the given number of digits of large and small numbers alike", () => {
    expect(significant(12_345, 3)).toBe(12_300);
    expect(significant(0.012345, 3)).toBe(0.0123);
  });
});

describe("percentile", () => {
  it("takes a value that the given share does not exceed, in any order", () => {
    const values = [5, 1, 4, 2, 3, 6, 7, 8, 9, 10];

    expect([0, 0.5, 0.9, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 5, 9, 10, 10]);
  });

  it("refuses an empty list", () => {
    expect(() => percentile([], 0.5)).toThrow("no percentile");
  });
});

describe("percentiles", () => {
  it("takes one for each share, and none of nothing", () => {
    expect(percentiles([30, 4, 200], [0.5, 1])).toEqual([30, 200]);
    expect(percentiles([], [0.5])).toEqual([Number.NaN]);
  });
});

describe("slopeOf", () => {
  it("finds the growth in points on a line, and none in noise around a level", () => {
    expect(
      slopeOf([
        [0, 5],
        [2, 11],
        [1, 8],
      ]),
    ).toBeCloseTo(3);
    expect(
      slopeOf([
        [0, 10],
        [1, 12],
        [2, 12],
        [3, 10],
      ]),
    ).toBeCloseTo(0);
  });

  it("finds the slope of any line", () => {
    const number = fc.integer({ min: -1_000, max: 1_000 });
    fc.assert(
      fc.property(number, number, fc.uniqueArray(number, { minLength: 2 }), (slope, start, xs) => {
        expect(slopeOf(xs.map((x) => [x, start + slope * x] as const))).toBeCloseTo(slope, 5);
      }),
    );
  });

  it("is none where there is no time", () => {
    expect(slopeOf([])).toBe(0);
    expect(
      slopeOf([
        [1, 5],
        [1, 9],
      ]),
    ).toBe(0);
  });
});
