import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { openSpill, type SpillingLog } from "#libs/event-log/index.ts";
import { ControlledLog, type Fate } from "#libs/event-log/tests/controlled-log.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import { eventKeyOf } from "../event-line.ts";
import { ingestPartition } from "../exactly-once.ts";
import { aLine, SILENT } from "./events.ts";
import { MemoryPartition } from "./memory-partition.ts";
import { MemoryStore } from "./memory-store.ts";

/*
 * The whole way of an acknowledged event: tracking, spill, log, ingestion, store. A crash of serving is a copy of its
 * spill as it was at some moment, found by a later process: whatever had been replayed since is replayed again.
 */

/** Far apart, so that a slow machine does not mix them up: a late original is late for sure, a taken one is not. */
const LATE_MS = 15;
const QUARANTINE_MS = 60;
const SLOW_MS = 2;
const WAIT = { timeout: 20_000, interval: 2 };

type Step =
  | { readonly do: "append"; readonly fate: Fate; readonly count: number }
  | { readonly do: "release"; readonly fate: "taken" | "lost" | "landed" }
  | { readonly do: "crash" }
  | { readonly do: "ingest"; readonly maxEvents: number };

const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      fate: fc.constantFrom<Fate>("taken", "away", "lost", "landed", "held"),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  fc.record({
    do: fc.constant("release" as const),
    fate: fc.constantFrom("taken" as const, "lost" as const, "landed" as const),
  }),
  fc.record({ do: fc.constant("crash" as const) }),
  fc.record({ do: fc.constant("ingest" as const), maxEvents: fc.integer({ min: 1, max: 4 }) }),
);

it("stores each acknowledged event exactly once, whatever becomes of the log and of serving", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 12 }), async (steps) => {
      const folder = await mkdtemp(join(tmpdir(), "spilled-"));
      try {
        const { acknowledged, stored, daily } = await live(folder, steps);

        expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
        expect(stored.filter((id, index) => stored.indexOf(id) !== index)).toEqual([]);
        expect(daily).toEqual(stored);
      } finally {
        await rm(folder, { recursive: true });
      }
    }),
    { numRuns: 40 },
  );
});

async function live(folder: string, steps: readonly Step[]) {
  const log = new ControlledLog();
  log.lateMs = LATE_MS;
  const options = { folder, quarantineMs: QUARANTINE_MS, slowMs: SLOW_MS };
  const partition = new MemoryPartition();
  const store = new MemoryStore();
  const acknowledged: string[] = [];
  let events = 0;
  let crashes = 0;

  async function ingest(maxEvents: number): Promise<void> {
    partition.batches.splice(0, Number.POSITIVE_INFINITY, ...log.taken);
    partition.ending = new AbortController();
    await ingestPartition(partition, store, createMemoryJudge(), { ...LIMITS, maxEvents }, SILENT);
  }

  let spill = await openSpill(log, options);
  for (const step of steps) {
    if (step.do === "release") log.release(step.fate);
    else if (step.do === "ingest") await ingest(step.maxEvents);
    else if (step.do === "crash") {
      await copySpill(folder, `${100 + crashes++}`);
    } else {
      log.fate = step.fate;
      const ids = Array.from({ length: step.count }, () => `evt_${++events}`);
      await spill.append({ rows: Buffer.from(ids.map((id) => aLine(id)).join("")), count: ids.length });
      acknowledged.push(...ids);
    }
  }
  log.fate = "taken";
  await drained(log, spill);
  // The first appends that are still held are the last to arrive, long after their replays.
  log.release("landed");
  await spill.close();
  spill = await openSpill(log, options);
  await drained(log, spill);
  await spill.close();
  await ingest(100);
  return { acknowledged, stored: idsOf(store.lines), daily: idsOf(store.dailyLines) };
}

async function drained(log: ControlledLog, spill: SpillingLog): Promise<void> {
  await vi.waitUntil(() => {
    log.release("landed", "repetitions");
    return spill.spillState().waitingBytes === 0;
  }, WAIT);
}

async function copySpill(folder: string, slot: string): Promise<void> {
  await mkdir(join(folder, slot));
  for (const name of await readdir(join(folder, "0"))) {
    if (!name.endsWith(".spill")) continue;
    // A file that has been drained meanwhile is none that a crash would leave.
    await copyFile(join(folder, "0", name), join(folder, slot, name)).catch(() => undefined);
  }
}

function idsOf(lines: readonly string[]): string[] {
  return lines.map((line) => eventKeyOf(Buffer.from(line))?.id ?? "");
}

const LIMITS = { maxWaitMs: 0, lingerMs: 0, maxBytes: 1e6, firstPauseMs: 0 };
