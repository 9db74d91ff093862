import { expect, it } from "vitest";
import { readQueueSearch } from "./queue-search.ts";

it("reads the kind, the tier and the page of the queue, and leaves out anything else", () => {
  expect(readQueueSearch({ kind: "revision", tier: "tier_1", page: 2, other: 1 })).toEqual({
    kind: "revision",
    tier: "tier_1",
    page: 2,
  });
  expect(readQueueSearch({ kind: "edit", tier: "", page: 1 })).toEqual({});
  expect(readQueueSearch({ kind: null, tier: ["tier_1"] })).toEqual({});
});
