import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { aBatch } from "../tests/event-log-suite.ts";
import { SpillBudget } from "./budget.ts";
import { newFileName } from "./folder.ts";
import { type SpillPosition, SpillQueue } from "./queue.ts";

const SEGMENT_MS = 1000;

let path: string;
let now: number;

beforeEach(async () => {
  path = await aFolder();
  now = 1_000_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

afterEach(() => void vi.restoreAllMocks());

function aQueue(): SpillQueue {
  const budget = new SpillBudget(2 ** 30);
  return new SpillQueue({ name: "unclear", path, segmentBytes: 2 ** 20, segmentMs: SEGMENT_MS, budget });
}

function write(queue: SpillQueue): Promise<SpillPosition> {
  return queue.write({ ...aBatch("a"), retryToken: "retryToken", spilledAt: 0 });
}

const pauses = fc.array(fc.nat(2 * SEGMENT_MS), { minLength: 1, maxLength: 30 });

it("lets no batch rest for the sake of one that came more than a file's time later, whenever they come", async () => {
  await fc.assert(
    fc.asyncProperty(pauses, async (given) => {
      const queue = aQueue();
      const written: { position: SpillPosition; at: number }[] = [];
      for (const pause of given) {
        now += pause;
        written.push({ position: await write(queue), at: now });
      }

      const longest = Math.max(...written.map(({ position, at }) => position.segment.addedAt - at));
      await queue.close();

      expect(longest).toBeLessThan(SEGMENT_MS);
    }),
    { numRuns: 30 },
  );
});

it("continues in a file while it is young", async () => {
  const queue = aQueue();

  const first = await write(queue);
  now += SEGMENT_MS - 1;
  const second = await write(queue);
  now += 1;
  const third = await write(queue);
  await queue.close();

  expect(second.segment).toBe(first.segment);
  expect(third.segment).not.toBe(first.segment);
});

it("puts no file behind a found one that has to rest for longer", async () => {
  const queue = aQueue();
  const { segment } = await write(queue);
  const found = join(path, newFileName("unclear"));
  await copyFile(segment.file, found);

  now += 1;
  await queue.adopt(found);
  now += 1;
  const later = await write(queue);
  const order = queue.segments.map(({ file }) => file);
  await queue.close();

  expect(order).toEqual([segment.file, found, later.segment.file]);
  expect(queue.segments.map(({ addedAt }) => addedAt)).toEqual([now - 2, now - 1, now]);
});
