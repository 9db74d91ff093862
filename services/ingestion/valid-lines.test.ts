import { expect, it, vi } from "vitest";
import { aRow } from "./tests/events.ts";
import { MemoryStore } from "./tests/memory-store.ts";
import { insertValidLines } from "./valid-lines.ts";

function rowsOf(count: number, firstLine = ""): Buffer[] {
  return [Buffer.from(firstLine + Array.from({ length: count }, (_, id) => aRow(`evt_${id}`)).join(""))];
}

it("returns invalid lines with the reason and inserts the others under the range's token", async () => {
  const store = new MemoryStore((line) => line.startsWith("{"));

  const letters = await insertValidLines(store, { token: "events:1-1", rows: rowsOf(3, "{}\n") });

  expect(letters).toEqual([{ line: "{}", reason: "not an array" }]);
  expect([...store.tokens.keys()]).toEqual(["events:1-1"]);
  expect(store.lines).toHaveLength(3);
});

it("finds by halving what only the store refuses, and repeats the same halves", async () => {
  const store = new MemoryStore((line) => line.includes("evt_5"));
  const range = { token: "events:1-1", rows: rowsOf(8) };

  const letters = await insertValidLines(store, range);
  const repeated = await insertValidLines(store, range);

  expect(letters).toEqual([{ line: aRow("evt_5").trimEnd(), reason: "cannot parse the range" }]);
  expect(repeated).toEqual(letters);
  expect(store.lines).toHaveLength(7);
  expect([...store.tokens.keys()]).toEqual(["events:1-1/0-3", "events:1-1/4-4", "events:1-1/6-7"]);
});

it("blames the store when it refuses many lines that look valid", async () => {
  const store = new MemoryStore(() => true);
  const insertRange = vi.spyOn(store, "insertRange");

  const inserting = insertValidLines(store, { token: "events:1-1", rows: rowsOf(5000) });

  await expect(inserting).rejects.toMatchObject({ code: "UNAVAILABLE", canRetry: true });
  expect(insertRange.mock.calls.length).toBeLessThan(300);
});
