import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createMemoryLimits } from "./index.ts";
import { describeLimits } from "./limits-suite.ts";
import type { EventToJudge, TrackingLimits } from "./port.ts";
import { aBatch, judgementsOf } from "./suite/events.ts";

describeLimits("memory", async (limits) => createMemoryLimits({ limits }));

const LIMITS: TrackingLimits = {
  impressionsPerMinute: 1,
  clicksPerMinute: 1,
  impressionWindowMs: 10_000,
  clickWindowMs: 2_000,
};
const NOON = Date.UTC(2026, 10, 21, 12);

describe("memory limits under a flood", () => {
  it("forgets the oldest of a window, says how many, and keeps the newest", async () => {
    const forgotten: number[] = [];
    const limits = createMemoryLimits({
      limits: { ...LIMITS, impressionWindowMs: 0 },
      maxKeys: 100,
      onForgotten: (entries) => forgotten.push(entries),
    });

    await judgementsOf(
      limits,
      Array.from({ length: 101 }, (_, n) => visit(n)),
    );
    const [newest, oldest] = await judgementsOf(limits, [visit(100), visit(0)]);

    expect(forgotten).toEqual([50]);
    expect(newest).toBe("limited");
    expect(oldest).toBe("fresh");
    await limits.close();
  });

  it("says nothing of what has ended by itself", async () => {
    const forgotten: number[] = [];
    const limits = createMemoryLimits({
      limits: LIMITS,
      maxKeys: 100,
      onForgotten: (entries) => forgotten.push(entries),
    });

    for (let minute = 0; minute < 20; minute += 1) {
      await judgementsOf(
        limits,
        Array.from({ length: 50 }, (_, n) => visit(n, NOON + minute * 60_000)),
      );
    }

    expect(forgotten).toEqual([]);
    await limits.close();
  });

  it("lets newcomers share budgets when there is no room, and forgets nobody's", async () => {
    const shared: string[] = [];
    const limits = createMemoryLimits({ limits: LIMITS, maxKeys: 2, onShared: (rule) => shared.push(rule) });
    const rule = { name: "checkout", points: 1, durationSeconds: 60 };
    await limits.consume(rule, "192.0.2.1");
    await limits.consume(rule, "192.0.2.2");

    const newcomer = await limits.consume(rule, "192.0.2.3");
    const newcomerAgain = await limits.consume(rule, "192.0.2.3");
    const known = await limits.consume(rule, "192.0.2.1");

    expect([newcomer, newcomerAgain, known].map(({ allowed }) => allowed)).toEqual([true, false, false]);
    expect(shared).toEqual(["checkout", "checkout"]);
    await limits.close();
  });

  it("makes room when budgets end", async () => {
    let shared = 0;
    const limits = createMemoryLimits({ limits: LIMITS, maxKeys: 1, onShared: () => (shared += 1) });
    const rule = { name: "short", points: 1, durationSeconds: 1 };
    await limits.consume(rule, "first");

    async function sharesWithOthers(): Promise<boolean> {
      const before = shared;
      await limits.consume(rule, "second");
      return shared > before;
    }

    expect(await sharesWithOthers()).toBe(true);
    await expect.poll(sharesWithOthers, { timeout: 20_000 }).toBe(false);
    await limits.close();
  });

  it("refuses a rule whose duration no timer can hold", async () => {
    const limits = createMemoryLimits({ limits: LIMITS });

    const consuming = limits.consume({ name: "months", points: 1, durationSeconds: 3_000_000 }, "key");

    await expect(consuming).rejects.toThrow("limit months: the duration has to be");
    await limits.close();
  });
});

it("judges again after more batches of unknown end than there are numbers, once their time is over", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const limits = createMemoryLimits({ limits: LIMITS });
  for (let batch = 0; batch < 2048; batch += 1) await limits.judge([visit(batch)], aBatch());
  await expect(limits.judge([visit(0)], aBatch())).rejects.toThrow("Too many batches");

  now.mockReturnValue(20_001);

  expect(await judgementsOf(limits, [visit(9_999)])).toEqual(["fresh"]);
  await limits.close();
});

it("does not take the late end of a batch for that of a later one which has its number", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const limits = createMemoryLimits({ limits: { ...LIMITS, impressionsPerMinute: 0 } });
  const late = await limits.judge([visit(1)], aBatch());
  now.mockReturnValue(20_001);
  for (let batch = 2; batch <= 2048; batch += 1) (await limits.judge([visit(batch)], aBatch())).confirm();
  const later = await limits.judge([visit(3_000)], aBatch());

  late.confirm();
  const duplicate = await limits.judge([visit(3_000)], aBatch());
  await later.drop();

  expect(duplicate.judgements).toEqual(["duplicate"]);
  expect([...(await duplicate.lostDuplicates())]).toEqual([0]);
  await limits.close();
});

describe("the salt file", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "placard-limits-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  function openWithFile() {
    return createMemoryLimits({ limits: LIMITS, saltFile: join(folder, "salt") });
  }

  it("keeps the day's salt over a restart, readable by its owner only", async () => {
    const before = openWithFile();
    const salt = await before.visitorSalt("2026-11-21");
    await before.close();

    const after = openWithFile();
    const saltAfter = await after.visitorSalt("2026-11-21");

    expect(saltAfter).toBe(salt);
    expect((await stat(join(folder, "salt"))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["salt"]);
    await after.close();
  });

  it("overwrites yesterday's, so that it cannot be found any more", async () => {
    const limits = openWithFile();
    const yesterday = await limits.visitorSalt("2026-11-20");

    const today = await limits.visitorSalt("2026-11-21");

    const saved = await readFile(join(folder, "salt"), "utf8");
    expect(saved).toContain(today);
    expect(saved).not.toContain(yesterday);
    await limits.close();
  });

  it("leaves today's in the file when an event of yesterday comes late", async () => {
    const limits = openWithFile();
    const today = await limits.visitorSalt("2026-11-21");

    await limits.visitorSalt("2026-11-20");

    expect(await readFile(join(folder, "salt"), "utf8")).toContain(today);
    await expect(limits.visitorSalt("2026-11-21")).resolves.toBe(today);
    await limits.close();
  });

  it("follows a clock that was wrong for a while back to the right day", async () => {
    const limits = openWithFile();
    await limits.visitorSalt("2099-01-01");

    const salt = await limits.visitorSalt("2026-11-21");
    await limits.close();

    const after = openWithFile();
    await expect(after.visitorSalt("2026-11-21")).resolves.toBe(salt);
    await after.close();
  });

  it("writes the newest day last when days are asked for at once", async () => {
    const limits = openWithFile();

    const salts = await Promise.all(
      ["2026-11-19", "2026-11-20", "2026-11-21"].map((day) => limits.visitorSalt(day)),
    );

    expect(await readFile(join(folder, "salt"), "utf8")).toContain(salts[2]);
    await limits.close();
  });

  it("makes a new salt where the file holds something else", async () => {
    await writeFile(join(folder, "salt"), '{"day":"2026-11-21","salt":"short"}');
    const limits = openWithFile();

    const salt = await limits.visitorSalt("2026-11-21");

    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(await readFile(join(folder, "salt"), "utf8")).toContain(salt);
    await limits.close();
  });

  it("fails while it cannot be written, and recovers", async () => {
    const limits = createMemoryLimits({ limits: LIMITS, saltFile: join(folder, "missing", "salt") });
    await expect(limits.visitorSalt("2026-11-21")).rejects.toThrow("ENOENT");

    await mkdir(join(folder, "missing"));

    await expect(limits.visitorSalt("2026-11-21")).resolves.toMatch(/^[0-9a-f]{32}$/);
    await limits.close();
  });
});

function visit(number: number, occurredAt = NOON): EventToJudge {
  const address = `address${number}`;
  return {
    adId: "ad_0",
    kind: "impression",
    address,
    visitor: address,
    countable: true,
    occurredAt,
    limit: null,
  };
}
