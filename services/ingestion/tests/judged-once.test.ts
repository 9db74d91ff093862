import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeLoggedEvent } from "#libs/domain/logged-event.ts";
import { createMemoryJudge, type Judge, JudgeError } from "#libs/judge/index.ts";
import { StatsStoreError } from "#libs/stats-store/errors.ts";
import type { EventKey, RowRange, StoredRequest, Visit } from "#libs/stats-store/port.ts";
import { type IngestionStep, ingestPartition } from "../exactly-once.ts";
import { A_LOGGED_EVENT, SILENT } from "./events.ts";
import { MemoryPartition } from "./memory-partition.ts";
import { MemoryStore } from "./memory-store.ts";

/*
 * Events of few visitors are appended, read, judged and inserted, while workers die at any step and inserts are cut off between the two
 * tables. In the end every event is there once, in both tables with one verdict, and the verdicts are right.
 */

class Crash extends Error {}

const NOON = Date.UTC(2026, 10, 21, 12);
const WINDOW_MS = 10_000;
const LIMIT = 4;
const LIMITS = { maxWaitMs: 0, lingerMs: 0, maxBytes: 1e6, maxEvents: 100, firstPauseMs: 0 };

interface Life {
  readonly visits: readonly { readonly visitor: number; readonly at: number; readonly lateMs: number }[];
  readonly maxEvents: number;
  readonly diesAt: {
    readonly step: IngestionStep | "judging" | "inserting" | "never";
    readonly round: number;
  };
  readonly unanswered: ReadonlyMap<number, "lost" | "cut off" | "landed">;
  /** Judgings that fail after they took effect, by number. */
  readonly failedJudgings: readonly number[];
}

const aLife: fc.Arbitrary<Life> = fc.record({
  visits: fc.array(
    fc.record({
      visitor: fc.nat(3),
      at: fc.nat(40_000),
      lateMs: fc.constantFrom(5, 5, 90_000, 4 * 3_600_000),
    }),
    { maxLength: 12 },
  ),
  maxEvents: fc.integer({ min: 1, max: 5 }),
  diesAt: fc.record({
    step: fc.constantFrom(
      "read",
      "intent",
      "judging",
      "judged",
      "inserting",
      "inserted",
      "committed",
      "never",
    ),
    round: fc.integer({ min: 1, max: 3 }),
  }),
  unanswered: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom("lost", "cut off", "landed")), {
      maxLength: 3,
    })
    .map((entries) => new Map(entries)),
  failedJudgings: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
});
const LAST_LIFE: Life = {
  visits: [],
  maxEvents: 3,
  diesAt: { step: "never", round: 1 },
  unanswered: new Map(),
  failedJudgings: [],
};

async function live(life: Life, partition: MemoryPartition, store: MemoryStore, judge: Judge): Promise<void> {
  partition.ending = new AbortController();
  const rounds = new Map<string, number>();
  const dieHere = (step: string) => {
    const round = (rounds.get(step) ?? 0) + 1;
    rounds.set(step, round);
    if (life.diesAt.step === step && life.diesAt.round === round) throw new Crash();
  };
  let inserts = 0;
  let judgings = 0;
  const moodyStore = {
    async insertRange(range: RowRange): Promise<void> {
      const fate = life.unanswered.get(++inserts);
      if (fate === "cut off") await store.insertIntoEventsAlone(range);
      else if (fate !== "lost") await store.insertRange(range);
      dieHere("inserting");
      if (fate !== undefined) throw new StatsStoreError("UNAVAILABLE", "no answer");
    },
    storedIds: (keys: readonly EventKey[]) => store.storedIds(keys),
    formOfRows: (keys: readonly EventKey[]) => store.formOfRows(keys),
    storedOfRequests: (requests: readonly StoredRequest[]) => store.storedOfRequests(requests),
    countedVisits: (visits: readonly Visit[], aroundMs: number) => store.countedVisits(visits, aroundMs),
  };
  const moodyJudge: Judge = {
    knowsSince: judge.knowsSince,
    async judge(events, range) {
      const judgements = await judge.judge(events, range);
      dieHere("judging");
      if (life.failedJudgings.includes(++judgings)) throw new JudgeError("no answer");
      return judgements;
    },
  };
  try {
    const limits = { ...LIMITS, maxEvents: life.maxEvents };
    await ingestPartition(partition, moodyStore, moodyJudge, limits, { ...SILENT, onStep: dieHere });
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

it.each([
  ["a shared judge, which remembers", false],
  ["a judge that dies with each worker, and a log that remembers", true],
])("judges each event once, by %s, over crashes and lost answers", async (_, isLost) => {
  await fc.assert(
    fc.asyncProperty(fc.array(aLife, { minLength: 1, maxLength: 5 }), async (lives) => {
      const partition = isLost ? new MemoryPartition() : new ForgetfulPartition();
      const store = new MemoryStore();
      let judge: Judge = { ...createMemoryJudge(), knowsSince: 0 };
      const ids: string[] = [];

      for (const life of [...lives, LAST_LIFE]) {
        for (const visit of life.visits) {
          ids.push(`evt_${ids.length}`);
          const rows = Buffer.from(aLine(ids.at(-1) ?? "", visit));
          partition.batches.push({ rows, count: 1, appendedAt: NOON + visit.at + visit.lateMs });
        }
        if (isLost) judge = { ...createMemoryJudge(), knowsSince: Number.POSITIVE_INFINITY };
        await live(life, partition, store, judge);
      }

      const rows = store.lines.map((line) => JSON.parse(line));
      expect(rows.map(([id]) => id).sort()).toEqual(ids.sort());
      expect(store.dailyLines).toEqual(store.lines);
      expect(rows.filter((row) => row[4] === "valid" && rows.some((other) => isNear(row, other)))).toEqual(
        [],
      );
      expect(
        rows.filter((row) => row[4] === "duplicate" && !rows.some((other) => isNear(row, other))),
      ).toEqual([]);
      if (!isLost) {
        const limited = rows.filter((row) => row[4] === "limited").length;
        expect(limited).toBe(limitedOf(lives));
      }
    }),
    { numRuns: 200 },
  );
});

/** As a partition of Kafka: its judge remembers. */
class ForgetfulPartition extends MemoryPartition {
  override recordedJudgements(): Promise<null> {
    return Promise.resolve(null);
  }
}

function aLine(id: string, { visitor, at }: Life["visits"][number]): string {
  return encodeLoggedEvent({
    ...A_LOGGED_EVENT,
    id,
    visitor: `visitor${visitor}00000000`,
    occurredAt: NOON + at,
    limitKey: `${visitor}`,
    limit: LIMIT,
    windowMs: WINDOW_MS,
  });
}

/** Whether the other is one that counts, of the same visitor and within the window. */
function isNear(row: unknown[], other: unknown[]): boolean {
  const [time, otherTime] = [Number(row[6]), Number(other[6])];
  return (
    row[0] !== other[0] &&
    other[4] === "valid" &&
    row[5] === other[5] &&
    Math.abs(time - otherTime) < WINDOW_MS
  );
}

function limitedOf(lives: readonly Life[]): number {
  const visits = lives.flatMap((life) => life.visits);
  return [0, 1, 2, 3]
    .map((visitor) => visits.filter((visit) => visit.visitor === visitor).length)
    .reduce((sum, count) => sum + Math.max(0, count - LIMIT), 0);
}
