import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { renderPage, withSummary } from "./table.ts";

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

it("puts what matters most into the operator's guide, in place of what stood there", async () => {
  const guide = await readFile(new URL("../README.md", import.meta.url), "utf8");

  const once = withSummary(guide, [RESULT]);
  const twice = withSummary(once, [{ ...RESULT, fault: "Redis emptied" }]);

  expect(once).toContain("| Kafka stopped | 60,123 | 0 | 0 | 1.3 |");
  expect(twice).toContain("| Redis emptied | 60,123 | 0 | 0 | 1.3 |");
  expect(twice).not.toContain("Kafka stopped");
  expect(twice.split("\n")).toHaveLength(once.split("\n").length);
  expect(() => withSummary("# A guide", [RESULT])).toThrow("no place for the table");
});
