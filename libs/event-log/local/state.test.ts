import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openLocalEventLog } from "./event-log.ts";
import { findLogDamage, readLocalLog } from "./state.ts";

async function aFile(): Promise<string> {
  return join(await aFolder(), "events.db");
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

it("finds damage in pages that nothing uses, in waiting batches and in a file that is no log", async () => {
  const file = await aFile();
  const log = await openLocalEventLog({ file });
  for (let batch = 0; batch < 20; batch += 1) await log.append(aBatch(10_000));
  const beside = findLogDamage(file);
  await log.close();
  const whole = await readFile(file);
  const page = 32_768;

  const damages: string[][] = [];
  for (const at of [page, 20 * page]) {
    await writeFile(file, Buffer.from(whole).fill(0xff, at, at + page));
    damages.push(findLogDamage(file));
  }
  const newline = whole.lastIndexOf("\n");
  await writeFile(file, Buffer.from(whole).fill(" ", newline, newline + 1));
  damages.push(findLogDamage(file));
  await writeFile(file, "something else entirely, and long enough to be looked at as a header".repeat(3));
  damages.push(findLogDamage(file));

  expect(beside).toEqual([]);
  expect(damages.map(([first]) => first)).toEqual([
    expect.stringContaining(`The event log ${file} is damaged: `),
    expect.stringContaining(`The event log ${file} is damaged: `),
    expect.stringMatching(/Batch \d+ of .* has 9999 of its 10000 events/),
    expect.stringContaining(`The event log ${file} is damaged: `),
  ]);
});

it("finds no log where there is none, and names a file that is none", async () => {
  const file = await aFile();
  const absent = readLocalLog(file);
  await writeFile(file, "something else entirely, and long enough to be looked at as a header".repeat(3));

  expect(absent).toBeNull();
  expect(() => readLocalLog(file)).toThrow(`The event log ${file} cannot be read`);
});
