import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EventLogError } from "../errors.ts";
import type { EventBatch, LateBatch, SpillingLog } from "../port.ts";
import { ControlledLog } from "../tests/controlled-log.ts";
import { aBatch } from "../tests/event-log-suite.ts";
import { openSpill, type SpillOptions } from "./spill.ts";

const WAIT = { timeout: 20_000, interval: 5 };

let folder: string;
let log: ControlledLog;
let judge: ControlledJudge;
let warnings: string[];
const opened: SpillingLog[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spill-unjudged-"));
  log = new ControlledLog();
  judge = new ControlledJudge();
  warnings = [];
});

afterEach(async () => {
  await close();
  await rm(folder, { recursive: true });
});

/** Judges by adding a word to the rows, and knows what it judged and what was confirmed. */
class ControlledJudge {
  state: "there" | "away" = "away";
  readonly judged: string[] = [];
  readonly confirmed: string[] = [];
  /** Batches of which nothing is left. */
  drops: (name: string) => boolean = () => false;
  refuses: (name: string) => boolean = () => false;
  failsAt: (name: string) => boolean = () => false;

  judge = async (content: Buffer): Promise<LateBatch> => {
    const name = nameIn(content);
    if (this.state === "away") throw new EventLogError("UNAVAILABLE", "nobody judges");
    if (this.failsAt(name)) throw new Error(`cannot judge ${name}`);
    if (this.refuses(name)) throw new EventLogError("REFUSED", "nobody can read it");
    this.judged.push(name);
    const batch = this.drops(name) ? { rows: Buffer.alloc(0), count: 0 } : aBatch(`judged ${name}`);
    return { batch, confirm: () => this.confirmed.push(name) };
  };
}

async function open(options: Partial<SpillOptions> = {}, of: ControlledJudge | null = judge) {
  const onWarning = (message: string) => warnings.push(message);
  const spill = await openSpill(log, {
    folder,
    quarantineMs: 20,
    slowMs: 1_000_000,
    onWarning,
    ...options,
  });
  if (of !== null) spill.judgeLate(of.judge);
  opened.push(spill);
  return spill;
}

async function close(): Promise<void> {
  await Promise.all(opened.splice(0).map((spill) => spill.close()));
}

async function drained(spill: SpillingLog): Promise<void> {
  await vi.waitUntil(() => spill.spillState().waitingBytes === 0, WAIT);
}

function nameIn(rows: Buffer): string {
  return /"(.*?)"/.exec(rows.toString())?.[1] ?? "";
}

function takenNames(): string[] {
  return log.taken.flatMap(({ rows }: EventBatch) =>
    Array.from(rows.toString().matchAll(/"(.*?)"/g), ([, name = ""]) => name),
  );
}

async function files(): Promise<string[]> {
  return (await readdir(join(folder, "0"))).filter((name) => name.includes(".unjudged"));
}

it("keeps batches while nobody judges, then judges them oldest first and appends them as repetitions", async () => {
  const spill = await open();
  for (const name of ["a", "b", "c", "d", "e"]) await spill.appendUnjudged(aBatch(name, 2));
  const whileAway = spill.spillState();
  const lag = await spill.lag();

  judge.state = "there";
  await drained(spill);

  expect(whileAway.waiting.unjudged).toEqual({ batches: 5, events: 10 });
  expect(whileAway.logIsAway).toBe(false);
  expect(lag).toBe(10);
  expect(judge.judged).toEqual(["a", "b", "c", "d", "e"]);
  expect(judge.confirmed.sort()).toEqual(["a", "b", "c", "d", "e"]);
  expect(takenNames().sort()).toEqual(["a", "b", "c", "d", "e"].map((name) => `judged ${name}`));
  expect(log.taken.every(({ mayRepeat }) => mayRepeat)).toBe(true);
  expect(await files()).toEqual([]);
});

it("passes judged batches on directly while others wait to be judged", async () => {
  const spill = await open();
  await spill.appendUnjudged(aBatch("waits"));

  await spill.append(aBatch("judged in time"));

  expect(takenNames()).toEqual(["judged in time"]);
  expect(spill.spillState().logIsAway).toBe(false);
});

it("confirms a batch once the log has it, and not before", async () => {
  const spill = await open();
  judge.state = "there";
  log.fate = "away";
  await spill.appendUnjudged(aBatch("a"));
  await vi.waitUntil(() => judge.judged.length > 1, WAIT);
  const before = [...judge.confirmed];
  const whileAway = spill.spillState();

  log.fate = "taken";
  await drained(spill);

  expect(before).toEqual([]);
  expect(whileAway.logIsAway).toBe(true);
  expect(judge.confirmed).toEqual(["a"]);
  expect(takenNames()).toEqual(["judged a"]);
  expect(spill.spillState().logIsAway).toBe(false);
});

it("appends nothing of a batch that is over its limits altogether", async () => {
  const spill = await open();
  judge.drops = (name) => name === "a";
  judge.state = "there";
  await spill.appendUnjudged(aBatch("a"));
  await spill.appendUnjudged(aBatch("b"));

  await drained(spill);

  expect(takenNames()).toEqual(["judged b"]);
  expect(judge.confirmed.sort()).toEqual(["a", "b"]);
});

it("judges again, under the same retry token, what a process that died had judged or appended", async () => {
  const first = await open();
  await first.appendUnjudged(aBatch("a"));
  const [file = ""] = await files();
  const copy = await readFile(join(folder, "0", file));
  judge.state = "there";
  await drained(first);
  await close();
  // As if it had died before it removed the file.
  await writeFile(join(folder, "0", file), copy);

  await drained(await open());

  expect(judge.judged).toEqual(["a", "a"]);
  expect(takenNames()).toEqual(["judged a", "judged a"]);
  expect(new Set(log.asked).size).toBe(1);
  expect(log.taken.every(({ mayRepeat }) => mayRepeat)).toBe(true);
});

it("leaves unjudged batches where they are until somebody judges, over restarts too", async () => {
  const first = await open({}, null);
  await first.appendUnjudged(aBatch("a"));
  await close();
  judge.state = "there";

  const second = await open({}, null);
  const found = second.spillState();
  second.judgeLate(judge.judge);
  await drained(second);

  expect(found.waiting.unjudged).toEqual({ batches: 1, events: 1 });
  expect(takenNames()).toEqual(["judged a"]);
});

it("adopts the unjudged batches of a process that is gone", async () => {
  const first = await open();
  await first.appendUnjudged(aBatch("left"));
  const [file = ""] = await files();
  await mkdir(join(folder, "7"));
  await copyFile(join(folder, "0", file), join(folder, "7", file));
  const other = new ControlledJudge();
  other.state = "there";

  await drained(await open({}, other));

  expect(other.judged).toEqual(["left"]);
});

it("sets a damaged file aside, and judges all of it that is sound", async () => {
  const first = await open();
  await Promise.all(["a", "b", "c"].map((name) => first.appendUnjudged(aBatch(name))));
  await close();
  const [file = ""] = await files();
  const bytes = await readFile(join(folder, "0", file));
  bytes.write("X", bytes.indexOf('["b"]'));
  await writeFile(join(folder, "0", file), bytes);
  judge.state = "there";

  await drained(await open());

  expect(judge.judged).toEqual(["a", "c"]);
  expect(await files()).toEqual([`${file}.damaged`]);
});

it("keeps a batch that can never be judged, and continues behind it", async () => {
  const spill = await open();
  judge.refuses = (name) => name === "bad";
  for (const name of ["a", "bad", "c"]) await spill.appendUnjudged(aBatch(name));
  judge.state = "there";

  await drained(spill);

  expect(takenNames()).toEqual(["judged a", "judged c"]);
  const kept = (await readdir(join(folder, "0"))).filter((name) => name.endsWith(".refused"));
  expect(kept).toHaveLength(1);
  expect(warnings.at(-1)).toContain("nobody can read it");
});

it("holds a batch that judging fails at, without an end, while it judges the others, also in a full spill", async () => {
  // Not tried again while it is looked at: each time it is held again before it is forgotten, and counts twice for a moment.
  const spill = await open({ heldMs: 1_000_000, maxBytes: 150 });
  judge.failsAt = (name) => name === "odd";
  for (const name of ["odd", "b", "c"]) await spill.appendUnjudged(aBatch(name));
  const room = 150 - spill.spillState().waitingBytes;
  await expect(spill.appendUnjudged(aBatch("d", room))).rejects.toThrow("full");
  judge.state = "there";
  await vi.waitUntil(() => spill.spillState().waiting.unjudged.batches === 0, WAIT);
  const whileHeld = spill.spillState();
  const said = [...warnings];
  await vi.waitUntil(async () => (await files()).some((name) => name.startsWith("held-")), WAIT);
  await close();

  const next = await open({ heldMs: 20 });
  const found = next.spillState();
  judge.failsAt = () => false;
  await drained(next);

  expect(judge.judged).toEqual(["b", "c", "odd"]);
  expect(whileHeld.waiting.held).toEqual({ batches: 1, events: 1 });
  expect(said.join()).toContain("cannot judge odd");
  expect(found.waiting.held).toEqual({ batches: 1, events: 1 });
  expect(takenNames()).toEqual(["judged b", "judged c", "judged odd"]);
  expect(await files()).toEqual([]);
});

it("refuses an unjudged batch that does not fit, and says so", async () => {
  const spill = await open({ maxBytes: 10 });

  await expect(spill.appendUnjudged(aBatch("a"))).rejects.toMatchObject({ code: "UNAVAILABLE" });

  expect(spill.spillState()).toMatchObject({ refused: 1, spilled: 0 });
  expect(warnings).toEqual([expect.stringContaining("full")]);
});
