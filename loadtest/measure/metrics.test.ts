import { expect, it } from "vitest";
import { sumOf } from "./metrics.ts";

const TEXT = `# HELP events_total Events
events_total{kind="click",verdict="valid"} 2
events_total{kind="impression",verdict="valid"} 40
events_total{kind="impression",verdict="bot"} 100
events_total_more 1000
lag 7
`;

it("adds up all series of a name and of no longer name", () => {
  expect(sumOf(TEXT, "events_total")).toBe(142);
  expect(sumOf(TEXT, "lag")).toBe(7);
});

it("takes only the series with the label", () => {
  expect(sumOf(TEXT, "events_total", 'verdict="valid"')).toBe(42);
});
