import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aBatch } from "./event-log-suite.ts";
import { SpillBudget } from "./spill-budget.ts";
import { newFileName } from "./spill-folder.ts";
import { SpillLane, type SpillPlace } from "./spill-lane.ts";

const SEGMENT_MS = 1000;

let path: string;
let now: number;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "spill-lane-"));
  now = 1_000_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(path, { recursive: true });
});

function aLane(): SpillLane {
  const budget = new SpillBudget(2 ** 30);
  return new SpillLane({ name: "unclear", path, segmentBytes: 2 ** 20, segmentMs: SEGMENT_MS, budget });
}

function write(lane: SpillLane): Promise<SpillPlace> {
  return lane.write({ ...aBatch("a"), attempt: "attempt", spilledAt: 0 });
}

const pauses = fc.array(fc.nat(2 * SEGMENT_MS), { minLength: 1, maxLength: 30 });

it("lets no batch rest for the sake of one that came more than a file's time later, whenever they come", async () => {
  await fc.assert(
    fc.asyncProperty(pauses, async (given) => {
      const lane = aLane();
      const written: { place: SpillPlace; at: number }[] = [];
      for (const pause of given) {
        now += pause;
        written.push({ place: await write(lane), at: now });
      }

      const longest = Math.max(...written.map(({ place, at }) => place.segment.addedAt - at));
      await lane.close();

      expect(longest).toBeLessThan(SEGMENT_MS);
    }),
    { numRuns: 30 },
  );
});

it("goes on in a file while it is young", async () => {
  const lane = aLane();

  const first = await write(lane);
  now += SEGMENT_MS - 1;
  const second = await write(lane);
  now += 1;
  const third = await write(lane);
  await lane.close();

  expect(second.segment).toBe(first.segment);
  expect(third.segment).not.toBe(first.segment);
});

it("puts no file behind a found one that has to rest for longer", async () => {
  const lane = aLane();
  const { segment } = await write(lane);
  const found = join(path, newFileName("unclear"));
  await copyFile(segment.file, found);

  now += 1;
  await lane.adopt(found);
  now += 1;
  const later = await write(lane);
  const order = lane.segments.map(({ file }) => file);
  await lane.close();

  expect(order).toEqual([segment.file, found, later.segment.file]);
  expect(lane.segments.map(({ addedAt }) => addedAt)).toEqual([now - 2, now - 1, now]);
});
