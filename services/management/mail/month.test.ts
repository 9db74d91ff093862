import { expect, it } from "vitest";
import { monthBefore, monthNamed } from "./reports.ts";

it.each([
  ["2026-11-01T00:00:00Z", { name: "2026-10", from: "2026-10-01", to: "2026-10-31" }],
  ["2026-11-30T23:59:59Z", { name: "2026-10", from: "2026-10-01", to: "2026-10-31" }],
  ["2027-01-01T05:30:00Z", { name: "2026-12", from: "2026-12-01", to: "2026-12-31" }],
  ["2028-03-31T12:00:00Z", { name: "2028-02", from: "2028-02-01", to: "2028-02-29" }],
])("is on %s the whole month before it", (instant, month) => {
  expect(monthBefore(Date.parse(instant))).toEqual(month);
  expect(monthNamed(month.name)).toEqual(month);
});
