import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EventBatch, EventLog, Partition } from "../port.ts";
import { EAGER, holdPartition, ingest, nextRange, textsOf } from "./held-partition.ts";

/** One empty log with a single partition, which can be opened again after it was closed. */
export interface EventLogHarness {
  open(): Promise<EventLog>;
  /** Removes what the log has stored; everything opened has been closed by then. */
  remove(): Promise<void>;
}

/** A batch of `count` events whose rows tell them apart by `name`. */
export function aBatch(name: string, count = 1): EventBatch {
  return { rows: Buffer.from(`["${name}"]\n`.repeat(count)), count };
}

/** What every event log does, whatever it is built on. */
export function describeEventLog(name: string, createHarness: () => Promise<EventLogHarness>): void {
  describe(`${name} as an event log`, () => {
    let harness: EventLogHarness;
    let log: EventLog;

    beforeEach(async () => {
      harness = await createHarness();
      log = await harness.open();
    });

    afterEach(async () => {
      await log.close();
      await harness.remove();
    });

    async function reopen(): Promise<void> {
      await log.close();
      log = await harness.open();
    }

    it("gives the batches back in order, byte for byte", async () => {
      for (const each of ["a", "b", "c"]) await log.append(aBatch(each, 2));
      const { partition } = await holdPartition(log);

      const range = await nextRange(partition);

      expect(textsOf(range)).toEqual(["a", "b", "c"].map((each) => `["${each}"]\n["${each}"]\n`));
      expect(range.batches.map(({ count }) => count)).toEqual([2, 2, 2]);
      expect(range.last - range.first).toBe(2n);
    });

    it("leaves the caller.s batch unchanged", async () => {
      const batch = aBatch("kept");

      await log.append(batch);

      expect(batch.rows.toString()).toBe('["kept"]\n');
    });

    it("starts the next range after what is committed, and the same one again until then", async () => {
      const { partition } = await holdPartition(log);
      await log.append(aBatch("a"));
      const first = await nextRange(partition);
      const again = await nextRange(partition);

      await ingest(partition, first);
      await log.append(aBatch("b"));
      const second = await nextRange(partition);

      expect(again).toEqual(first);
      expect(textsOf(second)).toEqual(['["b"]\n']);
      expect(second.first).toBe(first.last + 1n);
    });

    it("keeps the recorded intent and its exact range over a restart", async () => {
      for (const each of ["a", "b", "c"]) await log.append(aBatch(each));
      const before = await holdPartition(log);
      const read = await nextRange(before.partition, { maxEvents: 2 });
      // Ingestion adds to the origin what it leaves out of the range, up to this length.
      const range = { ...read, origin: read.origin.padEnd(3_600, "~") };
      await before.partition.recordIntent(range);
      await reopen();
      await log.append(aBatch("d"));

      const { partition } = await holdPartition(log);
      const intent = await partition.recordedIntent();

      if (intent === null) throw new Error("the intent is lost");
      const again = await partition.readExactly(intent);
      const { origin, first, last } = range;
      expect(intent).toEqual({ origin, first, last });
      expect({ ...again, batches: textsOf(again) }).toEqual({ origin, first, last, batches: textsOf(range) });
      expect(partition.id).toBe(before.partition.id);
    });

    it("forgets the intent once it is committed, also when the commit is repeated", async () => {
      await log.append(aBatch("a"));
      const { partition } = await holdPartition(log);
      const range = await nextRange(partition);
      const untouched = await partition.recordedIntent();

      await ingest(partition, range);
      await partition.commit(range);

      expect(untouched).toBeNull();
      expect(await partition.recordedIntent()).toBeNull();
    });

    it("does not return committed events again after a restart", async () => {
      await log.append(aBatch("a"));
      const before = await holdPartition(log);
      const committed = await nextRange(before.partition);
      await ingest(before.partition, committed);
      await reopen();
      await log.append(aBatch("b"));

      const { partition } = await holdPartition(log);
      const range = await nextRange(partition);

      expect(textsOf(range)).toEqual(['["b"]\n']);
      expect(range.first).toBeGreaterThan(committed.last);
    });

    it("ends a range before the batch that would pass a limit, but takes one batch at least", async () => {
      for (const each of ["a", "b", "c"]) await log.append(aBatch(each, 10));
      const { partition } = await holdPartition(log);

      const byEvents = await nextRange(partition, { maxEvents: 20 });
      const byBytes = await nextRange(partition, { maxBytes: 130 });
      const atLeastOne = await nextRange(partition, { maxEvents: 1, maxBytes: 1 });

      expect(byEvents.batches).toHaveLength(2);
      expect(byBytes.batches).toHaveLength(2);
      expect(atLeastOne.batches).toHaveLength(1);
    });

    it("ingests a range in parts, and skips one by a commit alone", async () => {
      for (const each of ["a", "b", "c"]) await log.append(aBatch(each));
      const { partition } = await holdPartition(log);
      const { origin, first, last } = await nextRange(partition, { maxEvents: 3 });

      await partition.commit({ first, last: first });
      const afterStep = await partition.recordedIntent();
      await partition.recordIntent({ origin, first: first + 1n, last: first + 1n });
      const part = await partition.recordedIntent();
      await partition.commit({ first: first + 1n, last: first + 1n });
      await reopen();
      const { partition: later } = await holdPartition(log);

      expect(afterStep).toBeNull();
      expect(part).toEqual({ origin, first: first + 1n, last: first + 1n });
      expect(textsOf(await nextRange(later))).toEqual(['["c"]\n']);
      expect((await nextRange(later)).first).toBe(last);
    });

    it("returns null when nothing comes in time", async () => {
      const { partition } = await holdPartition(log);

      const range = await partition.readNext({ ...EAGER, maxWaitMs: 20 });

      expect(range).toBeNull();
    });

    it("wakes a waiting read when a batch arrives, and lingers for those behind it", async () => {
      const { partition } = await holdPartition(log);
      const reading = nextRange(partition, { maxWaitMs: 20_000, lingerMs: 20_000, maxEvents: 3 });

      for (const each of ["a", "b", "c"]) await log.append(aBatch(each));

      expect((await reading).batches).toHaveLength(3);
    });

    it("counts the events that are not committed yet", async () => {
      await log.append(aBatch("a", 3));
      await log.append(aBatch("b", 4));
      const { partition } = await holdPartition(log);

      const before = await log.lag();
      await ingest(partition, await nextRange(partition, { maxEvents: 3 }));
      const after = await log.lag();
      await ingest(partition, await nextRange(partition));

      expect([before, after, await log.lag()]).toEqual([7, 4, 0]);
    });

    it("knows when the oldest event was appended that is not committed yet, also after it is opened again", async () => {
      const began = Date.now();
      await log.append(aBatch("a", 3));
      const appended = Date.now();
      await log.append(aBatch("b", 4));
      const first = await oldestOf(log);
      await log.close();
      log = await harness.open();
      const again = await oldestOf(log);
      const { partition } = await holdPartition(log);
      await ingest(partition, await nextRange(partition, { maxEvents: 3 }));
      const second = await oldestOf(log);
      await ingest(partition, await nextRange(partition));

      expect(first).toBeGreaterThanOrEqual(began);
      expect(first).toBeLessThanOrEqual(appended);
      expect(again).toBe(first);
      expect(second).toBeGreaterThanOrEqual(first ?? Number.POSITIVE_INFINITY);
      expect(await oldestOf(log)).toBeNull();
    });

    it("calls the worker of a partition again after it fails", async () => {
      const offers: Partition[] = [];
      const twice = Promise.withResolvers<void>();

      await log.consume(async (partition) => {
        offers.push(partition);
        if (offers.length === 2) twice.resolve();
        throw new Error("the worker fails");
      });
      await twice.promise;

      expect(offers[1]?.id).toBe(offers[0]?.id);
    });

    it("ends a waiting read and the worker when the consumer closes", async () => {
      const { partition, consumer } = await holdPartition(log);
      const reading = partition.readNext({ ...EAGER, maxWaitMs: 60_000 });

      await consumer.close();

      expect(partition.signal.aborted).toBe(true);
      expect(await reading).toBeNull();
    });

    it("finishes the appends in progress when it closes, and refuses later ones", async () => {
      const begun = Array.from({ length: 20 }, (_, i) => log.append(aBatch(`a${i}`)));

      await log.close();
      await Promise.all(begun);

      await expect(log.append(aBatch("late"))).rejects.toMatchObject({ code: "CLOSED" });
      log = await harness.open();
      expect(await log.lag()).toBe(20);
    });
  });
}

async function oldestOf(log: EventLog): Promise<number | null> {
  const { partitions } = await log.backlog();
  const known = partitions.flatMap(({ oldestAt }) => (oldestAt === null ? [] : [oldestAt]));
  return known.length === 0 ? null : Math.min(...known);
}
