import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSpill, type SpillingLog } from "#libs/event-log/index.ts";
import { ControlledLog } from "#libs/event-log/tests/controlled-log.ts";
import { createMemoryLimits, type Limits, LimitsError } from "#libs/limits/index.ts";
import { NO_OWN_LIMITS } from "#libs/placements/index.ts";
import { createServingMetrics } from "../answers/metrics.ts";
import { type ArrivedEvent, createEventRecorder } from "./record-events.ts";
import { createUnjudgedEvents } from "./unjudged.ts";

const WAIT = { timeout: 20_000, interval: 5 };
const ADDRESS = "net 192.0.2.7";
const USER_AGENT = "a browser of somebody";

/** In the middle of a minute to come: however long a test takes, its events are not late when they are judged. */
let halfPast: number;
let folder: string;
let log: ControlledLog;
let shared: Limits;
let judge: "there" | "away" | "mute";
/** Ids that the judge refuses. */
let refused: Set<string>;
let judgedIds: string[];
let settled: string[];
let abandoned: string[];
const opened: SpillingLog[] = [];

beforeEach(async () => {
  halfPast = Math.ceil(Date.now() / 60_000) * 60_000 + 30_000;
  folder = await mkdtemp(join(tmpdir(), "unjudged-"));
  log = new ControlledLog();
  judge = "there";
  refused = new Set();
  judgedIds = [];
  settled = [];
  abandoned = [];
  shared = createMemoryLimits({
    limits: { impressionsPerMinute: 0, clicksPerMinute: 0, impressionWindowMs: 10_000, clickWindowMs: 2_000 },
  });
});

afterEach(async () => {
  await stop();
  await shared.close();
  await rm(folder, { recursive: true });
});

async function stop(): Promise<void> {
  await Promise.all(opened.splice(0).map((spill) => spill.close()));
}

/** A serving process. All of them share the judge, which judges without an answer while it is `mute`, and the log. */
async function start({ maxBytes = 2 ** 30 } = {}) {
  const limits: Limits = {
    ...shared,
    async judge(events, batch) {
      if (judge === "away") throw new LimitsError("UNAVAILABLE", "away");
      if (refused.has(batch.id)) throw new LimitsError("REFUSED", "given up");
      const judged = await shared.judge(events, batch);
      judgedIds.push(batch.id);
      if (judge === "mute") throw new Error("no answer");
      return judged;
    },
    async settle(id) {
      settled.push(id);
    },
    async abandon(id) {
      abandoned.push(id);
    },
  };
  const registry = new Registry();
  const metrics = createServingMetrics(registry);
  const spill = await openSpill(log, { folder, maxBytes, quarantineMs: 20, slowMs: 1_000_000 });
  opened.push(spill);
  const onWarning = () => undefined;
  const unjudged = createUnjudgedEvents({ spill, limits, metrics, onWarning });
  const salts = { of: (day: string) => shared.visitorSalt(day) };
  const { record } = createEventRecorder({ limits, log: spill, salts, unjudged, metrics, onWarning });
  return { spill, record, registry };
}

async function drained(): Promise<void> {
  await vi.waitUntil(() => opened.every((spill) => spill.spillState().waitingBytes === 0), WAIT);
}

function anImpression(occurredAt: number, change: Partial<ArrivedEvent> = {}): ArrivedEvent {
  return {
    ad: {
      id: "ad_1",
      workspaceId: "ws_1",
      servedUntil: Number.POSITIVE_INFINITY,
      limits: NO_OWN_LIMITS,
      requireProof: false,
    },
    kind: "impression",
    address: ADDRESS,
    userAgent: USER_AGENT,
    isAnonymous: false,
    verdict: "valid",
    occurredAt,
    ...change,
  };
}

function rowsIn({ taken }: ControlledLog) {
  return taken.flatMap(({ rows }) =>
    rows
      .toString()
      .trim()
      .split("\n")
      .map((line) => {
        const [id, , , , verdict, , at]: unknown[] = JSON.parse(line);
        return { id, verdict, at };
      }),
  );
}

function verdicts(): unknown[] {
  return rowsIn(log).map(({ verdict }) => verdict);
}

async function unjudgedFiles(): Promise<string[]> {
  return (await readdir(join(folder, "0"))).filter((name) => name.endsWith(".unjudged"));
}

/** Keeps two impressions of a visitor unjudged, with a copy of the file that they are in. */
async function keepTwo() {
  const { record } = await start();
  judge = "away";
  await record([anImpression(halfPast), anImpression(halfPast + 1)]);
  const [file = ""] = await unjudgedFiles();
  const path = join(folder, "0", file);
  return { record, path, copy: await readFile(path) };
}

describe("events that cannot be judged now", () => {
  it("are acknowledged by every process, and exactly one of a visitor's counts when they are judged", async () => {
    const [first, second] = [await start(), await start()];
    judge = "away";

    const outcomes = [
      await first.record([
        anImpression(halfPast),
        anImpression(halfPast + 1_000, { address: "net 192.0.2.8" }),
      ]),
      await second.record([anImpression(halfPast + 2_000), anImpression(halfPast + 3_000)]),
    ];
    const whileAway = verdicts();
    judge = "there";
    await drained();

    expect(outcomes).toEqual([
      ["stored", "stored"],
      ["stored", "stored"],
    ]);
    expect(whileAway).toEqual([]);
    expect(verdicts().sort()).toEqual(["duplicate", "duplicate", "valid", "valid"]);
    expect(await first.registry.getSingleMetricAsString("placard_tracking_unjudged_total")).toContain(
      'placard_tracking_unjudged_total{kind="impression"} 2',
    );
  });

  it("are duplicates of those before the outage, and originals of those after it", async () => {
    const { record } = await start();
    await record([anImpression(halfPast)]);
    judge = "away";
    await record([anImpression(halfPast + 5_000), anImpression(halfPast + 12_000)]);
    judge = "there";
    await drained();
    await record([anImpression(halfPast + 14_000)]);

    expect(verdicts()).toEqual(["valid", "duplicate", "valid", "duplicate"]);
  });

  it("are left out where they are over their limit, as they would have been", async () => {
    const { record } = await start();
    judge = "away";
    const ad = { ...anImpression(halfPast).ad, limits: { ...NO_OWN_LIMITS, impressionsPerMinute: 2 } };
    const events = [0, 1, 2, 3].map((second) => anImpression(halfPast + second * 1_000, { ad }));

    expect(await record(events)).toEqual(["stored", "stored", "stored", "stored"]);
    judge = "there";
    await drained();

    expect(rowsIn(log).map(({ at }) => at)).toEqual([halfPast, halfPast + 1_000]);
  });

  it("keep the verdict of their request", async () => {
    const { record } = await start();
    judge = "away";
    await record([anImpression(halfPast, { verdict: "bot" }), anImpression(halfPast + 1)]);
    judge = "there";
    await drained();

    expect(verdicts()).toEqual(["bot", "valid"]);
  });

  it("leave neither address nor user agent on the disk", async () => {
    const { record } = await start();
    judge = "away";
    await record([anImpression(halfPast)]);

    const [file = ""] = await unjudgedFiles();
    const content = await readFile(join(folder, "0", file), "latin1");

    expect(content).toContain("ws_1");
    expect(content).not.toContain("192.0.2");
    expect(content).not.toContain("browser");
  });

  it("come out as the same rows when the process dies after the append and before the file is gone", async () => {
    const { path, copy } = await keepTwo();
    judge = "there";
    await drained();
    await stop();
    await writeFile(path, copy);

    await start();
    await drained();

    const [first, second] = log.taken;
    expect(log.taken).toHaveLength(2);
    expect(second?.rows).toEqual(first?.rows);
    expect(log.taken.every(({ mayRepeat }) => mayRepeat)).toBe(true);
  });

  it("come out as the same rows when the process dies after judging and before the append", async () => {
    await keepTwo();
    // Judged, and not appended.
    log.fate = "away";
    judge = "there";
    await vi.waitUntil(() => log.asked.length > 0, WAIT);
    await stop();
    log.fate = "taken";

    await start();
    await drained();

    expect(verdicts()).toEqual(["valid", "duplicate"]);
  });

  it("are judged under another id where the judge refuses theirs, and come out as they would have, also after a crash", async () => {
    const { record, path, copy } = await keepTwo();
    await record([anImpression(halfPast + 2)]);
    const given = /evt_\w+(?=\n\[)/.exec(copy.toString("latin1"))?.[0] ?? "";
    refused.add(given);
    judge = "there";
    await drained();
    await stop();
    // As if the process had died before it removed the file.
    await writeFile(path, copy);

    await start();
    await drained();

    expect(judgedIds[0]).toBe(`${given}-again`);
    expect(verdicts()).toEqual(["valid", "duplicate", "duplicate", "valid", "duplicate"]);
    expect(rowsIn(log).slice(3)).toEqual(rowsIn(log).slice(0, 2));
  });

  it("are settled, because they may have been judged without an answer, and no duplicate of them fails", async () => {
    const { record } = await start();
    judge = "mute";
    await record([anImpression(halfPast)]);
    judge = "there";
    await drained();

    expect(await record([anImpression(halfPast + 1_000)])).toEqual(["stored"]);
    expect(settled).toHaveLength(1);
    expect(verdicts()).toEqual(["valid", "duplicate"]);
  });

  it("are durable, so that their duplicates at another process wait for nothing", async () => {
    const [first, second] = [await start(), await start()];
    judge = "away";
    await first.record([anImpression(halfPast)]);
    log.fate = "held";
    judge = "there";
    await vi.waitUntil(() => log.asked.length === 1, WAIT);
    log.fate = "taken";

    expect(await second.record([anImpression(halfPast + 1_000)])).toEqual(["stored"]);
    log.release("taken");
    await drained();
    expect(verdicts().sort()).toEqual(["duplicate", "valid"]);
  });

  it("are not acknowledged where the disk does not take them either, and are given up at the judge", async () => {
    const { record } = await start({ maxBytes: 10 });
    judge = "away";

    await expect(record([anImpression(halfPast)])).rejects.toThrow("full");

    expect(abandoned).toHaveLength(1);
    expect(settled).toEqual([]);
  });
});

describe("a duplicate of an event whose fate is open", () => {
  it("is not acknowledged, because the process that has its original may be dead", async () => {
    const [first, second] = [await start(), await start()];
    log.fate = "held";
    const original = first.record([anImpression(halfPast)]);
    await vi.waitUntil(() => log.asked.length === 1, WAIT);
    log.fate = "taken";
    const duplicate = await second.record([anImpression(halfPast + 1_000)]);
    log.release("taken");
    await original;
    await drained();

    expect(duplicate).toEqual(["failed"]);
    expect(verdicts().filter((verdict) => verdict === "valid")).toHaveLength(1);
  });
});
