import { expect, it } from "vitest";
import { renderPage } from "./table.ts";

const FACTS = {
  date: "2026-11-21",
  machine: "a machine",
  command: "npm run test:faults",
  seconds: 300,
  failed: false,
};
const RESULT = {
  fault: "Kafka stopped",
  acknowledged: 60_123,
  missing: 0,
  doubled: 0,
  twins: 0,
  recognized: 0,
  perSecond: 2_199,
  lasted: 20.04,
  recovered: 1.26,
  tracking: 0.999_99,
  serving: 1,
};

it("shows each fault in a row, and never rounds an availability up to all", () => {
  const page = renderPage(
    [
      RESULT,
      { ...RESULT, fault: "Redis emptied", missing: 2, twins: 1_200, recognized: 1_199, perSecond: 0 },
    ],
    FACTS,
  );

  expect(page).toContain("| Kafka stopped | 60,123 | 0 | 0 | – | 1.3 | 20.0 | 99.99 % | 100 % | 2,199 |");
  expect(page).toContain(
    "| Redis emptied | 60,123 | 2 | 0 | 1,199 of 1,200 | 1.3 | 20.0 | 99.99 % | 100 % | – |",
  );
  expect(page).toContain("| **All** | 120,246 | 2 | 0 |");
});

it("says that a run has failed", () => {
  expect(renderPage([RESULT], FACTS)).not.toContain("failed");
  expect(renderPage([RESULT], { ...FACTS, failed: true })).toContain("The run failed");
});
