import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { createMemoryLimits } from "./index.ts";
import { describeLimits } from "./limits-suite.ts";

describeLimits("memory", async () => createMemoryLimits());

describe("memory limits under a flood", () => {
  it("lets newcomers share budgets when there is no room, and forgets nobody's", async () => {
    const shared: string[] = [];
    const limits = createMemoryLimits({ maxKeys: 2, onShared: (rule) => shared.push(rule) });
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
    const limits = createMemoryLimits({ maxKeys: 1, onShared: () => (shared += 1) });
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
    const limits = createMemoryLimits();

    const consuming = limits.consume({ name: "months", points: 1, durationSeconds: 3_000_000 }, "key");

    await expect(consuming).rejects.toThrow("limit months: the duration has to be");
    await limits.close();
  });
});

describe("the salt file", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await aFolder();
  });
  function openWithFile() {
    return createMemoryLimits({ saltFile: join(folder, "salt") });
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
    const limits = createMemoryLimits({ saltFile: join(folder, "missing", "salt") });
    await expect(limits.visitorSalt("2026-11-21")).rejects.toThrow("ENOENT");

    await mkdir(join(folder, "missing"));

    await expect(limits.visitorSalt("2026-11-21")).resolves.toMatch(/^[0-9a-f]{32}$/);
    await limits.close();
  });
});
