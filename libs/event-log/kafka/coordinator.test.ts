import { describe, expect, it } from "vitest";
import { type CommittedOffset, decodeOffset, encodeMetadata, intentOf } from "./coordinator.ts";

const committed: CommittedOffset = {
  next: 7n,
  last: 9n,
  origin: "events-t1:0@4",
  topicId: "t1",
  repeatsBelow: 3n,
};

describe("a partition's committed", () => {
  it("are read as they were written, with the origin that the intent's token was made of", () => {
    const read = decodeOffset("7", encodeMetadata(committed), "t1");

    expect(read).toEqual(committed);
    expect(intentOf(committed, "events-t1:0")).toEqual({ origin: "events-t1:0@4", first: 7n, last: 9n });
  });

  it("give an intent that an earlier version has recorded the origin that it had there", () => {
    const read = decodeOffset("7", '{"topic":"t1","repeats":"3","last":"9"}', "t1");

    expect(read && intentOf(read, "events-t1:0")).toEqual({ origin: "events-t1:0", first: 7n, last: 9n });
  });

  it("are worth nothing on another topic of the same name", () => {
    expect(decodeOffset("7", encodeMetadata(committed), "t2")).toBeNull();
  });
});
