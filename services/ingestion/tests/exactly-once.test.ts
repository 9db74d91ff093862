import fc from "fast-check";
import { expect, it, vi } from "vitest";
import type { RowForm } from "#libs/domain/logged-event.ts";
import { requestEventIds } from "#libs/domain/request-event-id.ts";
import { EventLogError } from "#libs/event-log/errors.ts";
import { createMemoryJudge, type JudgedRange } from "#libs/judge/index.ts";
import { StatsStoreError } from "#libs/stats-store/errors.ts";
import type { EventKey, RowRange, StoredRequest, Visit } from "#libs/stats-store/port.ts";
import { type IngestionStep, ingestPartition } from "../exactly-once.ts";
import { aLine, rowOfLine, SILENT } from "./events.ts";
import { MemoryPartition } from "./memory-partition.ts";
import { MemoryStore } from "./memory-store.ts";

class Crash extends Error {}

/** What befalls one life of the worker: where it dies, and which of its inserts get no answer. */
interface Life {
  /** Batches appended before it; each is a list of lines, false for a bad one. */
  readonly appended: readonly { readonly lines: readonly boolean[]; readonly mayRepeat: boolean }[];
  /** Batches of the log, by number, that are appended a second time after those. */
  readonly repeated: readonly number[];
  /** Attempts of requests, by number, each with those of their events that it stores. */
  readonly attempts: readonly { readonly request: number; readonly events: readonly number[] }[];
  readonly maxEvents: number;
  readonly diesAt: {
    readonly step: IngestionStep | "looking up" | "inserting" | "never";
    readonly round: number;
  };
  /** Inserts that get no answer, by number, and what became of them. */
  readonly unanswered: ReadonlyMap<number, "lost" | "cut off" | "landed">;
}

const aLife: fc.Arbitrary<Life> = fc.record({
  appended: fc.array(
    fc.record({ lines: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), mayRepeat: fc.boolean() }),
    { maxLength: 5 },
  ),
  repeated: fc.array(fc.nat(), { maxLength: 3 }),
  attempts: fc.array(
    fc.record({
      request: fc.nat(2),
      events: fc.uniqueArray(fc.nat(4), { minLength: 1 }).map((events) => events.toSorted()),
    }),
    { maxLength: 4 },
  ),
  maxEvents: fc.integer({ min: 1, max: 8 }),
  diesAt: fc.record({
    step: fc.constantFrom("read", "looking up", "intent", "inserting", "inserted", "committed", "never"),
    round: fc.integer({ min: 1, max: 3 }),
  }),
  unanswered: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom("lost", "cut off", "landed")), {
      maxLength: 3,
    })
    .map((entries) => new Map(entries)),
});

const LAST_LIFE: Life = {
  appended: [],
  repeated: [],
  attempts: [],
  maxEvents: 3,
  diesAt: { step: "never", round: 1 },
  unanswered: new Map(),
};

const LIMITS = { maxWaitMs: 0, lingerMs: 0, maxBytes: 1e6, maxEvents: 100, firstPauseMs: 0 };

let lastEvent = 0;
const newLine = () => aLine(`evt_${++lastEvent}`).trimEnd();
const idIn = (line: string) => /"(evt_\w+)"/.exec(line)?.[1];

async function live(
  life: Life,
  partition: MemoryPartition,
  store: MemoryStore,
  form: RowForm,
): Promise<void> {
  partition.ending = new AbortController();
  const rounds = new Map<string, number>();
  const dieHere = (step: string) => {
    const round = (rounds.get(step) ?? 0) + 1;
    rounds.set(step, round);
    if (life.diesAt.step === step && life.diesAt.round === round) throw new Crash();
  };
  let inserts = 0;
  const moodyStore = {
    async insertRange(range: RowRange): Promise<void> {
      const fate = life.unanswered.get(++inserts);
      if (form !== "whole" && fate !== "lost") await store.insertAsBefore(range, form);
      else if (fate === "cut off") await store.insertIntoEventsAlone(range);
      else if (fate !== "lost") await store.insertRange(range);
      dieHere("inserting");
      if (fate !== undefined) throw new StatsStoreError("UNAVAILABLE", "no answer");
    },
    async storedIds(keys: readonly EventKey[]): Promise<Set<string>> {
      dieHere("looking up");
      return store.storedIds(keys);
    },
    async formOfRows(keys: readonly EventKey[]): Promise<RowForm> {
      dieHere("looking up");
      return store.formOfRows(keys);
    },
    async storedOfRequests(requests: readonly StoredRequest[]): Promise<Set<string>> {
      dieHere("looking up");
      return store.storedOfRequests(requests);
    },
    async countedVisits(visits: readonly Visit[], aroundMs: number): Promise<Visit[]> {
      dieHere("looking up");
      return store.countedVisits(visits, aroundMs);
    },
  };
  const limits = { ...LIMITS, maxEvents: life.maxEvents };
  try {
    await ingestPartition(partition, moodyStore, createMemoryJudge(), limits, { ...SILENT, onStep: dieHere });
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

it.each([
  ["that the line check finds", (line: string) => line.startsWith("bad")],
  ["that only the store knows", (line: string) => line.includes('evt_7"') || line.startsWith("bad")],
])(
  "never loses and never doubles an event, over crashes, lost answers, repeated batches and requests, and bad lines %s, and upgrades",
  async (_, isRefused) => {
    const lives = fc.array(aLife, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lives, fc.nat(2), fc.nat(2), async (each, withoutSource, withoutPlace) => {
        lastEvent = 0;
        const partition = new MemoryPartition();
        const store = new MemoryStore(isRefused);
        const appended: string[] = [];

        for (const [number, life] of [...each, LAST_LIFE].entries()) {
          for (const batch of life.appended) {
            const lines = batch.lines.map((isGood) => (isGood ? newLine() : `bad line ${++lastEvent}`));
            appended.push(...lines);
            const rows = Buffer.from(`${lines.join("\n")}\n`);
            partition.batches.push({ rows, count: lines.length, mayRepeat: batch.mayRepeat });
          }
          for (const number of life.repeated) {
            const batch = partition.batches[number % partition.batches.length];
            if (batch !== undefined) partition.batches.push({ ...batch, mayRepeat: true });
          }
          for (const { request, events } of life.attempts) {
            const { idOf } = requestEventIds(Buffer.alloc(14, request), true);
            const lines = events.map((index) => aLine(idOf(index)).trimEnd());
            appended.push(...lines.filter((line) => !appended.includes(line)));
            partition.batches.push({ rows: Buffer.from(`${lines.join("\n")}\n`), count: lines.length });
          }
          const form =
            number < withoutSource
              ? "without source"
              : number < withoutSource + withoutPlace
                ? "without place"
                : "whole";
          await live(life, partition, store, number < each.length ? form : "whole");
        }

        expect(partition.isDrained).toBe(true);
        const sound = appended
          .filter((line) => !isRefused(line))
          .map(idIn)
          .sort();
        expect(store.lines.map(idIn).sort()).toEqual(sound);
        expect(store.dailyLines.map(idIn).sort()).toEqual(sound);
        expect(store.quarterLines.map(idIn).sort()).toEqual(sound);
        expect(store.wideLines.map(idIn).sort()).toEqual(sound);
        expect(new Set(partition.letters.map(({ line }) => idIn(line) ?? line))).toEqual(
          new Set(appended.filter(isRefused).map((line) => idIn(line) ?? line)),
        );
      }),
      { numRuns: 300 },
    );
  },
);

it("finishes a range first whose intent an earlier version recorded, under its token and without the same lines", async () => {
  const partition = new MemoryPartition();
  const store = new MemoryStore();
  const lines = Array.from({ length: 5 }, newLine);
  const rows = lines.map(rowOfLine);
  for (const line of lines) partition.batches.push({ rows: Buffer.from(`${line}\n`), count: 1 });
  // Bits of the first and the fourth line, in base64url.
  await partition.recordIntent({ origin: `${partition.origin}!CQ`, first: 1n, last: 4n });

  await ingestPartition(partition, store, createMemoryJudge(), LIMITS, SILENT);

  expect([...store.tokens]).toEqual([
    ["memory:0!CQ:1-4", rows.slice(1, 3)],
    ["memory:0:5-5", rows.slice(4)],
  ]);
  expect(partition.isDrained).toBe(true);
});

it("judges ranges of a partition under one origin, whatever was left out of them", async () => {
  const partition = new MemoryPartition();
  const [one, two, three] = [newLine(), newLine(), newLine()];
  const batches = [[one], [two], [one, three]];
  for (const lines of batches)
    partition.batches.push({
      rows: Buffer.from(`${lines.join("\n")}\n`),
      count: lines.length,
      mayRepeat: true,
    });
  const judged: JudgedRange[] = [];
  const judge = createMemoryJudge();
  const listening = {
    knowsSince: judge.knowsSince,
    judge(events: Parameters<typeof judge.judge>[0], range: JudgedRange) {
      judged.push(range);
      return judge.judge(events, range);
    },
  };

  await ingestPartition(partition, new MemoryStore(), listening, { ...LIMITS, maxEvents: 2 }, SILENT);

  expect(judged).toEqual([
    { origin: "memory:0", first: 1n, name: "memory:0:1-2" },
    { origin: "memory:0", first: 3n, name: expect.stringMatching(/^memory:0~.+:3-3$/) },
  ]);
});

it("reports the range that the log has lost, and continues behind it", async () => {
  const partition = new MemoryPartition();
  const store = new MemoryStore();
  for (let i = 0; i < 3; i++) partition.batches.push({ rows: Buffer.from(`${newLine()}\n`), count: 1 });
  await partition.recordIntent({ origin: partition.origin, first: 1n, last: 2n });
  vi.spyOn(partition, "readExactly").mockRejectedValue(new EventLogError("RANGE_GONE", "gone"));
  const onRangeGone = vi.fn();

  await ingestPartition(partition, store, createMemoryJudge(), LIMITS, { ...SILENT, onRangeGone });

  expect(onRangeGone).toHaveBeenCalledExactlyOnceWith(
    { origin: partition.origin, first: 1n, last: 2n },
    expect.any(EventLogError),
  );
  expect([...store.tokens.keys()]).toEqual(["memory:0:3-3"]);
});
