import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import type { SpillingLog } from "../port.ts";
import { ControlledLog } from "../tests/controlled-log.ts";
import { aBatch } from "../tests/event-log-suite.ts";
import { UNJUDGED_ENDING } from "./earlier-files.ts";
import { openSpill, type SpillOptions } from "./spill.ts";

const WAIT = { timeout: 10_000, interval: 5 };
/** So long that only a fault gets there. */
const NEVER = 1_000_000;

let folder: string;
let log: ControlledLog;
let warnings: string[];
const opened: SpillingLog[] = [];

beforeEach(async () => {
  folder = await aFolder();
  log = new ControlledLog();
  warnings = [];
});

afterEach(() => Promise.all(opened.splice(0).map((spill) => spill.close())));

async function open(options: Partial<SpillOptions> = {}, behind = log): Promise<SpillingLog> {
  const onWarning = (message: string) => warnings.push(message);
  const spill = await openSpill(behind, { folder, quarantineMs: 20, slowMs: NEVER, onWarning, ...options });
  opened.push(spill);
  return spill;
}

async function restart(options: Partial<SpillOptions> = {}): Promise<SpillingLog> {
  await Promise.all(opened.splice(0).map((spill) => spill.close()));
  return open(options);
}

async function drained(spill: SpillingLog): Promise<void> {
  await vi.waitUntil(() => spill.spillState().waitingBytes === 0, WAIT);
}

function takenNames(from = log): string[] {
  return from.taken.flatMap(({ rows }) => [
    ...new Set(Array.from(rows.toString().matchAll(/"(.*?)"/g), ([, name = ""]) => name)),
  ]);
}

function nameOf({ rows }: { rows: Buffer }): string {
  return /"(.*?)"/.exec(rows.toString())?.[1] ?? "";
}

async function files(lease = "0"): Promise<string[]> {
  return (await readdir(join(folder, lease))).filter((name) => name.includes(".spill")).sort();
}

it("passes batches on while the log takes them, and writes nothing", async () => {
  const spill = await open();

  await spill.append(aBatch("a", 3));

  expect(log.taken).toEqual([{ ...aBatch("a", 3), mayRepeat: false }]);
  expect(await files()).toEqual([]);
  expect(spill.spillState()).toMatchObject({ spilled: 0, waitingBytes: 0, logIsAway: false });
});

it("acknowledges batches from the disk while the log is away, and replays them when it is back", async () => {
  const spill = await open();
  log.fate = "away";

  for (const name of ["a", "b", "c"]) await spill.append(aBatch(name, 2));
  const whileAway = spill.spillState();
  const lagWhileAway = await spill.lag();
  log.fate = "taken";
  await drained(spill);

  expect(whileAway).toMatchObject({ logIsAway: true, waitingBatches: 3, spilled: 3, replayed: 0 });
  expect(whileAway.waitingBytes).toBeGreaterThan(100);
  expect(lagWhileAway).toBe(6);
  expect(takenNames()).toEqual(["a", "b", "c"]);
  expect(log.taken.every(({ mayRepeat }) => mayRepeat)).toBe(true);
  expect(log.taken.map(({ rows }) => rows.toString()).join("")).toBe(
    '["a"]\n["a"]\n["b"]\n["b"]\n["c"]\n["c"]\n',
  );
  expect(await log.lag()).toBe(6);
  expect(await files()).toEqual([]);
  expect(spill.spillState()).toMatchObject({ logIsAway: false, waitingBatches: 0, replayed: 3 });
  expect(warnings).toEqual([
    expect.stringMatching(/^The event log is away \(nobody listens\); events wait in /),
  ]);
});

it("tries the log with no further batch while it is known to be away", async () => {
  const spill = await open();
  log.fate = "away";

  for (let i = 0; i < 50; i++) await spill.append(aBatch(`${i}`));

  expect(log.asked.filter((token) => token === null)).toHaveLength(1);
});

it("goes back to the log at once when it is back, while the rest is replayed", async () => {
  const spill = await open({ quarantineMs: NEVER });
  log.fate = "lost";
  await spill.append(aBatch("unclear"));
  log.fate = "away";
  await spill.append(aBatch("unsent"));
  log.fate = "taken";
  await vi.waitUntil(() => !spill.spillState().logIsAway, WAIT);

  await spill.append(aBatch("direct"));

  expect(takenNames()).toEqual(["unsent", "direct"]);
  expect(spill.spillState().waitingBatches).toBe(1);
});

it("replays an unclear batch under the retry token of the first, after the quarantine", async () => {
  const spill = await open({ quarantineMs: 100 });
  log.fate = "landed";
  const begin = vi.spyOn(log, "begin");
  const from = performance.now();

  await spill.append(aBatch("a"));
  log.fate = "taken";
  await drained(spill);

  expect(performance.now() - from).toBeGreaterThanOrEqual(100);
  expect(log.taken.map(({ mayRepeat }) => mayRepeat)).toEqual([false, true]);
  expect(log.asked).toEqual([null, begin.mock.results[0]?.value.retryToken]);
});

it("acknowledges a slow batch from the disk, and replays it when its append failed after all", async () => {
  const spill = await open({ slowMs: 10 });
  log.fate = "held";

  await spill.append(aBatch("slow"));
  log.release("lost");
  log.fate = "taken";
  await drained(spill);

  expect(log.taken).toEqual([{ ...aBatch("slow"), mayRepeat: true }]);
  expect(warnings).toEqual([expect.stringContaining("it took no batch within 10 ms")]);
});

it("does not replay a slow batch that the log took in the end, and knows the log is back by it", async () => {
  const spill = await open({ slowMs: 10, quarantineMs: NEVER });
  log.fate = "held";
  await spill.append(aBatch("slow"));
  await spill.append(aBatch("behind"));

  log.fate = "taken";
  log.release("taken");
  await drained(spill);

  expect(takenNames().sort()).toEqual(["behind", "slow"]);
  expect(log.asked.filter((token) => token !== null)).toHaveLength(1);
  expect(spill.spillState().logIsAway).toBe(false);
  expect(await files()).toEqual([]);
});

it("does not take a log for away that is slow with one batch and takes others, and the caller waits no longer", async () => {
  const spill = await open({ slowMs: 50, quarantineMs: NEVER });
  log.fate = "held";
  const slow = spill.append(aBatch("slow"));
  log.fate = "taken";
  await spill.append(aBatch("quick"));
  await slow;
  const { logIsAway, spilled } = spill.spillState();
  log.release("taken");
  await drained(spill);

  expect({ logIsAway, spilled }).toEqual({ logIsAway: false, spilled: 1 });
  expect(takenNames()).toEqual(["quick", "slow"]);
  expect(warnings).toEqual([]);
});

it("counts an event as behind in one position, also when its file still waits for another batch", async () => {
  const spill = await open({ slowMs: 20, quarantineMs: NEVER });
  log.fate = "held";
  const slow = spill.append(aBatch("slow", 3));
  log.fate = "lost";
  await Promise.all([slow, spill.append(aBatch("unclear", 2))]);
  const both = await spill.lag();

  log.release("taken");
  await vi.waitUntil(() => spill.spillState().waitingBatches === 1, WAIT);

  expect(both).toBe(5);
  expect(takenNames()).toEqual(["slow"]);
  expect(await spill.lag()).toBe(5);
});

it("refuses what does not fit, says so once, and takes events again when there is room", async () => {
  const spill = await open({ maxBytes: 2000 });
  log.fate = "away";
  const outcomes = [];
  for (let i = 0; i < 30; i++) outcomes.push(await settled(spill.append(aBatch(`${i}`, 10))));
  const accepted = outcomes.flatMap((outcome, i) => (outcome === "taken" ? [`${i}`] : []));

  log.fate = "taken";
  await drained(spill);
  await spill.append(aBatch("after"));

  expect(new Set(outcomes)).toEqual(new Set(["taken", "UNAVAILABLE"]));
  expect(spill.spillState()).toMatchObject({ refused: 30 - accepted.length, spilled: accepted.length });
  expect(takenNames()).toEqual([...accepted, "after"]);
  expect(warnings.filter((each) => each.includes("full"))).toHaveLength(1);
});

it("leaves a slow batch to the log where the spill is full", async () => {
  const spill = await open({ slowMs: 10, maxBytes: 10 });
  log.fate = "held";

  const appending = spill.append(aBatch("slow"));
  await vi.waitUntil(() => spill.spillState().refused === 1, WAIT);
  log.release("taken");
  await appending;

  expect(takenNames()).toEqual(["slow"]);
});

it("cannot say what became of a batch that the log may have, where the spill is full", async () => {
  const spill = await open({ slowMs: 10, maxBytes: 10 });
  log.fate = "landed";
  const unanswered = await settled(spill.append(aBatch("unanswered")));
  log.fate = "held";
  const slow = spill.append(aBatch("slow"));
  const slowOutcome = settled(slow);
  await vi.waitUntil(() => spill.spillState().refused === 2, WAIT);
  log.release("landed");

  expect([unanswered, await slowOutcome]).toEqual(["UNCLEAR", "UNCLEAR"]);
  expect(takenNames()).toEqual(["unanswered", "slow"]);
});

it("says that nothing was stored where the log refused a slow batch and the spill is full", async () => {
  const spill = await open({ slowMs: 10, maxBytes: 10 });
  log.fate = "held";
  const slowOutcome = settled(spill.append(aBatch("slow")));
  await vi.waitUntil(() => spill.spillState().refused === 1, WAIT);

  log.release("away");

  expect(await slowOutcome).toBe("UNAVAILABLE");
});

it("can be appended to while the log or the spill takes batches, and not when neither does", async () => {
  const spill = await open();
  log.fate = "away";
  const spilling = await settled(spill.probe());
  await rm(join(folder, "0"), { recursive: true });
  const lost = await settled(spill.append(aBatch("a")));
  const neither = await settled(spill.probe());
  log.fate = "taken";
  const direct = await settled(spill.probe());

  expect([spilling, lost, neither, direct]).toEqual(["taken", "UNAVAILABLE", expect.anything(), "taken"]);
  expect(neither).not.toBe("taken");
});

it("finds the log back without a spill that could", async () => {
  const spill = await open({ maxBytes: 10 });
  log.fate = "away";
  const refused = await settled(spill.append(aBatch("a")));

  log.fate = "taken";
  await spill.append(aBatch("b"));

  expect(refused).toBe("UNAVAILABLE");
  expect(takenNames()).toEqual(["b"]);
});

it("replays after a restart what it did not get rid of before", async () => {
  const spill = await open({ quarantineMs: NEVER });
  log.fate = "lost";
  await spill.append(aBatch("unclear"));
  log.fate = "away";
  for (const name of ["a", "b"]) await spill.append(aBatch(name));

  const again = await restart();
  const found = again.spillState();
  log.fate = "taken";
  await drained(again);

  expect(found).toMatchObject({ waitingBatches: 3, replayed: 0 });
  expect(found.oldestAgeSeconds).toBeGreaterThan(0);
  expect(takenNames().sort()).toEqual(["a", "b", "unclear"]);
});

it("takes more than a file holds, with one wait for the disk for what waits together", async () => {
  const spill = await open({ maxBytes: 80_000 });
  log.fate = "away";
  await spill.append(aBatch("first"));

  await Promise.all(Array.from({ length: 100 }, (_, i) => spill.append(aBatch(`${i}`, 60))));
  for (let i = 100; i < 110; i++) await spill.append(aBatch(`${i}`, 60));
  const filesWhenAway = await files();
  log.fate = "taken";
  await drained(spill);

  expect(filesWhenAway.length).toBeGreaterThan(1);
  expect(takenNames().sort()).toEqual(["first", ...Array.from({ length: 110 }, (_, i) => `${i}`)].sort());
});

it("cuts a torn end off without a word", async () => {
  await spillThree();
  const [file = ""] = await files();
  const path = join(folder, "0", file);
  const whole = await readFile(path);
  await writeFile(path, whole.subarray(0, whole.length - 3));

  await drained(await open());

  expect(takenNames()).toEqual(["a", "b"]);
  expect(warnings).toEqual([]);
  expect(await files()).toEqual([]);
});

it("sets a damaged file aside with a warning, and replays all of it that is sound", async () => {
  await spillThree();
  const [file = ""] = await files();
  const path = join(folder, "0", file);
  const bytes = await readFile(path);
  bytes.write("X", bytes.indexOf('["b"]'));
  await writeFile(path, bytes);

  await drained(await open());

  expect(takenNames()).toEqual(["a", "c"]);
  expect(await files()).toEqual([`${file}.damaged`]);
  expect(warnings).toEqual([
    expect.stringMatching(/^The spill file .+ is damaged \(the record at byte \d+ .+ was kept as/),
  ]);
});

it("replays batches that are many and small together, and one that is refused apart from the others", async () => {
  const spill = await open();
  log.fate = "away";
  for (let i = 0; i < 40; i++) await spill.append(aBatch(i === 20 ? "bad" : `${i}`));
  log.refuses = ({ rows }) => rows.includes("bad");
  log.fate = "taken";

  await drained(spill);

  const others = Array.from({ length: 40 }, (_, i) => `${i}`).filter((name) => name !== "20");
  expect(takenNames().sort()).toEqual(others.sort());
  const kept = (await files()).filter((name) => name.endsWith(".refused"));
  expect(kept).toHaveLength(1);
});

it("keeps a batch that the log refuses for good, and continues behind it", async () => {
  const spill = await open();
  log.fate = "away";
  for (const name of ["a", "bad", "c"]) await spill.append(aBatch(name));
  log.refuses = (batch) => nameOf(batch) === "bad";
  log.fate = "taken";

  await drained(spill);

  expect(takenNames()).toEqual(["a", "c"]);
  const [kept = ""] = await files();
  expect(kept).toMatch(/^refused-.+\.refused$/);
  expect((await readFile(join(folder, "0", kept))).includes('["bad"]')).toBe(true);
  expect(warnings.at(-1)).toMatch(/^The event log refuses a spilled batch \(the batch is too large\)/);
});

it("does not spill what the log refuses for another reason than being away", async () => {
  const spill = await open();
  log.refuses = () => true;

  await expect(spill.append(aBatch("a"))).rejects.toThrow("too large");

  expect(spill.spillState()).toMatchObject({ spilled: 0, logIsAway: false });
});

it("gives each process a lease of its own, and adopts what a process that is gone has left", async () => {
  const first = await open();
  const second = await open({}, new ControlledLog());
  log.fate = "away";
  await first.append(aBatch("kept"));
  const [file = ""] = await files("0");
  await mkdir(join(folder, "7"));
  await copyFile(join(folder, "0", file), join(folder, "7", file));

  const later = new ControlledLog();
  const third = await open({}, later);
  await drained(third);

  expect((await stat(join(folder, "2"))).isDirectory()).toBe(true);
  expect(second.spillState().waitingBatches).toBe(0);
  expect(takenNames(later)).toEqual(["kept"]);
  expect(await files("7")).toEqual([]);
  expect(await files("0")).toEqual([file]);
});

it("says in one sentence that the folder cannot be used", async () => {
  await writeFile(join(folder, "file"), "");

  await expect(open({ folder: join(folder, "file") })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringMatching(/^The spill cannot use the folder .+file: .+\.$/),
  });
});

it("finishes what was begun before it closes and takes nothing after", async () => {
  const spill = await open({ slowMs: 20 });
  log.fate = "held";
  const begun = spill.append(aBatch("a"));

  await Promise.all([begun, spill.close()]);

  await expect(spill.append(aBatch("late"))).rejects.toMatchObject({ code: "CLOSED" });
  expect(await files()).toHaveLength(1);
});

async function spillThree(): Promise<void> {
  const spill = await open();
  log.fate = "away";
  // At the same time, so that one file has both.
  await Promise.all(["a", "b", "c"].map((name) => spill.append(aBatch(name))));
  await spill.close();
  opened.splice(0);
  log = new ControlledLog();
  warnings = [];
}

async function settled(appending: Promise<void>): Promise<string> {
  return appending.then(
    () => "taken",
    (error) => error.code,
  );
}

it("does not open while an earlier release has left events that it could not judge, and names their files", async () => {
  const file = join(folder, "3", `00001700000000-0a1b2c3d4e5f${UNJUDGED_ENDING}`);
  await mkdir(join(folder, "3"));
  await writeFile(file, "");
  await open();
  await writeFile(file, "a record");

  await expect(restart()).rejects.toMatchObject({
    code: "DAMAGED",
    message: expect.stringMatching(
      /has not judged yet, in .*0a1b2c3d4e5f\.[a-z]+\. Start that release again/,
    ),
  });

  await rm(file);
  await open();
});
