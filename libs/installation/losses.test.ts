import { describe, expect, it } from "vitest";
import { type FoundStore, findLosses } from "./losses.ts";
import { STORE_NAMES, type StoreName } from "./note.ts";

/** Stores of one installation at checkpoint 7 with a log of 100 batches, but for what is said otherwise. */
function stores(changes: Partial<Record<StoreName, Partial<FoundStore["note"]> | null>> = {}): FoundStore[] {
  return STORE_NAMES.map((name) => {
    const change = changes[name];
    const note = { installation: "heron", checkpoint: 7, logEnd: 100, ...change };
    return { name, place: `/data/${name}`, note: change === null ? null : note };
  });
}

it("finds nothing in a new installation, in one that was never noted, and in a whole one", () => {
  expect(findLosses([], null)).toEqual([]);
  expect(findLosses(stores({ postgres: null, clickhouse: null, events: null, uploads: null }), 0)).toEqual(
    [],
  );
  expect(findLosses(stores(), 100)).toEqual([]);
});

it("takes a first start that was cut short for a new installation", () => {
  const cut = stores({
    events: { checkpoint: 1, logEnd: 0 },
    postgres: null,
    clickhouse: null,
    uploads: null,
  });

  expect(findLosses(cut, 0)).toEqual([]);
});

it("takes notes that a crash left one checkpoint apart for whole", () => {
  expect(findLosses(stores({ events: { checkpoint: 8, logEnd: 120 } }), 120)).toEqual([]);
});

describe.each(STORE_NAMES)("%s", (name) => {
  it("is named when it is new", () => {
    const losses = findLosses(stores({ [name]: null }), name === "events" ? 0 : 100);

    expect(losses.map(({ store }) => store)).toEqual([name]);
    expect(losses[0]?.message).toContain(`/data/${name} is new or empty`);
  });

  it("is named when it is older", () => {
    const losses = findLosses(
      stores({ [name]: { checkpoint: 5, logEnd: 60 } }),
      name === "events" ? 60 : 100,
    );

    expect(losses.map(({ store }) => store)).toEqual([name]);
    expect(losses[0]?.message).toContain("older");
  });

  it("is named when it belongs to another installation", () => {
    const losses = findLosses(stores({ [name]: { installation: "magpie", checkpoint: 3 } }), 100);

    expect(losses.map(({ store }) => store)).toEqual([name]);
    expect(losses[0]?.message).toContain("another installation");
  });
});

it("names a log that lost its end within one checkpoint", () => {
  const losses = findLosses(stores({ events: { checkpoint: 6, logEnd: 80 } }), 80);

  expect(losses).toEqual([
    {
      store: "events",
      message: expect.stringContaining("reaches to batch 80, and the other stores know it up to batch 100"),
    },
  ]);
});

it("accepts a log that continues where the notes end", () => {
  expect(findLosses(stores(), 250)).toEqual([]);
});
