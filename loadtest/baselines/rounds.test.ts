import { expect, it } from "vitest";
import { throughputRatio } from "./rounds.ts";

const rounds = (perSecond: number, ...busy: number[]) =>
  busy.map((clientBusy) => ({ perSecond, clientBusy }));

it("tells a ratio whose client had time to spare", () => {
  const ratio = throughputRatio(rounds(80, 0.5, 0.6, 0.99), rounds(100, 0.7, 0.8, 0.84));

  expect(ratio?.median).toBeCloseTo(0.8);
});

it.each([
  ["baseline", rounds(80, 0.5), rounds(100, 0.86)],
  ["subject", rounds(80, 0.9), rounds(100, 0.5)],
])("refuses a ratio whose client was over 85 %% of its core with the %s", (_side, subject, baseline) => {
  expect(throughputRatio(subject, baseline)).toBeNull();
});
