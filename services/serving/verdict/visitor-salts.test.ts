import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { createKeptSalts, type VisitorSalts } from "./visitor-salts.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const TODAY = "2026-11-21";
const TOMORROW = "2026-11-22";

let folder: string;
let now: number;
let isAway: boolean;
let warnings: string[];
const opened: VisitorSalts[] = [];

beforeEach(async () => {
  folder = await aFolder();
  now = NOON;
  isAway = false;
  warnings = [];
});

afterEach(() => stop());

/** A process's salts. Redis has the same for all of them. */
function start(): VisitorSalts {
  const salts = createKeptSalts({
    limits: { visitorSalt: async (day) => (isAway ? Promise.reject(new Error("away")) : sharedSalt(day)) },
    folder,
    onWarning: (message) => warnings.push(message),
    now: () => now,
  });
  opened.push(salts);
  return salts;
}

async function stop(): Promise<void> {
  await Promise.all(opened.splice(0).map((salts) => salts.close()));
}

function sharedSalt(day: string): string {
  return day.replaceAll("-", "").padStart(32, "a");
}

it("has today's and tomorrow's salt where a process starts while Redis is away, over midnight too", async () => {
  start();
  await stop();
  isAway = true;
  const salts = start();

  const today = await salts.of(TODAY);
  now = NOON + DAY;
  const tomorrow = await salts.of(TOMORROW);

  expect([today, tomorrow]).toEqual([sharedSalt(TODAY), sharedSalt(TOMORROW)]);
  expect(warnings).toEqual([]);
});

it("keeps salts in files that only their owner can read, and forgets them an hour after their day", async () => {
  start();
  await stop();
  const first = await readdir(folder);
  const modes = await Promise.all(first.map(async (name) => (await stat(join(folder, name))).mode & 0o777));
  now = Date.UTC(2026, 10, 22, 1, 0, 1);

  start();
  await stop();

  expect(first.sort()).toEqual([`salt-${TODAY}`, `salt-${TOMORROW}`]);
  expect(modes).toEqual([0o600, 0o600]);
  expect((await readdir(folder)).sort()).toEqual([`salt-${TOMORROW}`, "salt-2026-11-23"]);
});

it("forgets them without a warning where several processes do so at the same time", async () => {
  const over = Array.from({ length: 20 }, (_, day) => `salt-2026-10-${day + 10}`);
  await Promise.all(over.map((name) => writeFile(join(folder, name), sharedSalt(TODAY))));

  for (let process = 0; process < 8; process += 1) start();
  await stop();

  expect((await readdir(folder)).sort()).toEqual([`salt-${TODAY}`, `salt-${TOMORROW}`]);
  expect(warnings).toEqual([]);
});

it("reads them while other processes that start as well remove those of earlier days", async () => {
  for (let day = 1; day <= 20; day += 1)
    await writeFile(join(folder, `salt-2026-10-${String(day).padStart(2, "0")}`), sharedSalt(TODAY));
  await writeFile(join(folder, `salt-${TODAY}`), sharedSalt(TODAY));
  isAway = true;

  const processes = [start(), start(), start(), start()];
  const salts = await Promise.all(processes.map((each) => each.of(TODAY)));
  await stop();

  expect(salts).toEqual(processes.map(() => sharedSalt(TODAY)));
  expect(await readdir(folder)).toEqual([`salt-${TODAY}`]);
  expect(warnings).toEqual([]);
});

it("draws its own for as long as Redis is away where it knows none, says so, and takes the shared one afterwards", async () => {
  isAway = true;
  const [salts, other] = [start(), start()];

  const own = [await salts.of(TODAY), await salts.of(TODAY), await other.of(TODAY)];
  isAway = false;
  const after = await salts.of(TODAY);

  expect(own[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(own[1]).toBe(own[0]);
  expect(own[2]).not.toBe(own[0]);
  expect(after).toBe(sharedSalt(TODAY));
  expect(warnings[0]).toMatch(/^Nobody knows the salt of 2026-11-21; until Redis is back/);
  await stop();
  expect(await readFile(join(folder, `salt-${TODAY}`), "utf8")).toBe(sharedSalt(TODAY));
});

it("uses no salt for another day", async () => {
  start();
  await stop();
  isAway = true;
  const salts = start();

  const later = await salts.of("2026-11-24");

  expect([sharedSalt(TODAY), sharedSalt(TOMORROW)]).not.toContain(later);
});

it("continues where its folder cannot be written to", async () => {
  await rm(folder, { recursive: true });
  await writeFile(folder, "a file");

  expect(await start().of(TODAY)).toBe(sharedSalt(TODAY));

  await stop();
  expect(warnings[0]).toMatch(/^Visitors' salts cannot be kept in /);
});
