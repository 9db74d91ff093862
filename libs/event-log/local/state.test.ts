import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLocalEventLog } from "./event-log.ts";
import { readLocalLog } from "./state.ts";

async function aFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "placard-log-state-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "events.db");
}

const aBatch = (count: number) => ({ rows: Buffer.from('["row"]\n'.repeat(count)), count });

it("reads a log beside the process that writes it, and after that has ended", async () => {
  const file = await aFile();
  const log = await openLocalEventLog({ file });
  const empty = readLocalLog(file);
  await log.append(aBatch(3));
  await log.append(aBatch(2));
  await log.writeNote("a note");
  const ingested = Promise.withResolvers<void>();
  const consumer = await log.consume(async (partition) => {
    const range = await partition.readNext({ maxWaitMs: 1_000, lingerMs: 0, maxEvents: 3, maxBytes: 1_000 });
    if (range === null) throw new Error("nothing to read");
    await partition.recordIntent(range);
    await partition.writeDeadLetters([{ line: "bad", reason: "refused" }]);
    await partition.commit(range);
    const next = await partition.readNext({ maxWaitMs: 1_000, lingerMs: 0, maxEvents: 3, maxBytes: 1_000 });
    if (next !== null) await partition.recordIntent(next);
    ingested.resolve();
  });
  await ingested.promise;

  const beside = readLocalLog(file);
  await consumer.close();
  await log.close();

  expect(empty).toEqual({ end: 0, committed: 0, lag: 0, intent: null, deadLetters: 0, note: null });
  expect(beside).toEqual({ end: 2, committed: 1, lag: 2, intent: 2, deadLetters: 1, note: "a note" });
  expect(readLocalLog(file)).toEqual(beside);
});

it("finds no log where there is none, and names a file that is none", async () => {
  const file = await aFile();
  const absent = readLocalLog(file);
  await writeFile(file, "something else entirely, and long enough to be looked at as a header".repeat(3));

  expect(absent).toBeNull();
  expect(() => readLocalLog(file)).toThrow(`The event log ${file} cannot be read`);
});
