import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openWatchedFile, type WatchedFile } from "./watched-file.ts";

const CHECK_EVERY_MS = 2_000;

let file: string;
let watched: WatchedFile<string> | undefined;
let warnings: string[];
let used: string[];
const read = vi.fn<(bytes: Buffer) => string>();

beforeEach(async () => {
  file = join(await aFolder(), "list");
  warnings = [];
  used = [];
  read.mockReset().mockImplementation((bytes) => {
    const text = bytes.toString();
    if (text.startsWith("wrong")) throw new Error(`it says ${text}`);
    return text;
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  watched?.close();
  watched = undefined;
  vi.useRealTimers();
});

async function open(): Promise<WatchedFile<string>> {
  watched = await openWatchedFile({
    file,
    maxBytes: 1024 * 1024,
    read,
    onContent: (content) => used.push(content),
    setting: "LIST_FILE",
    onWarning: (message) => warnings.push(message),
    checkEveryMs: CHECK_EVERY_MS,
  });
  return watched;
}

/** Lets one look at the file happen, to its end. */
async function look(): Promise<void> {
  vi.advanceTimersByTime(CHECK_EVERY_MS);
  await vi.waitUntil(() => vi.getTimerCount() === 1, { timeout: 20_000, interval: 1 });
}

it("reads a file only once two looks in a row have seen the same", async () => {
  await writeFile(file, "first");
  const opened = await open();

  await writeFile(file, "half of");
  await look();
  await writeFile(file, "half of the second");
  await look();
  expect([opened.content(), read.mock.calls.length]).toEqual(["first", 1]);
  await look();

  expect([opened.content(), read.mock.calls.length]).toEqual(["half of the second", 2]);
  expect(opened.state()).toMatchObject({ isCurrent: true, failures: 0 });
});

it("reads a wrong file once, and reports it once", async () => {
  await writeFile(file, "first");
  const opened = await open();
  await writeFile(file, "wrong");

  for (let looks = 0; looks < 5; looks += 1) await look();

  expect([opened.content(), read.mock.calls.length]).toEqual(["first", 2]);
  expect(opened.state()).toMatchObject({ isCurrent: false, failures: 1 });
  expect(warnings).toEqual(["LIST_FILE cannot be used: it says wrong. The last good file stays in use."]);
});

it("reports the next reason, and the same one again after a good file", async () => {
  await writeFile(file, "first");
  const opened = await open();

  for (const text of ["wrong", "wrong too", "good", "wrong too"]) {
    await writeFile(`${file} new`, text);
    await rename(`${file} new`, file);
    await look();
    await look();
  }

  expect(warnings).toEqual([
    expect.stringContaining("it says wrong. "),
    expect.stringContaining("it says wrong too. "),
    expect.stringContaining("it says wrong too. "),
  ]);
  expect(opened.content()).toBe("good");
  expect(used).toEqual(["first", "good"]);
});

it("looks for a missing file again and again", async () => {
  await writeFile(file, "first");
  const opened = await open();

  await rm(file);
  for (let looks = 0; looks < 3; looks += 1) await look();
  expect(opened.state()).toMatchObject({ isCurrent: false, failures: 3 });
  await writeFile(file, "second");
  await look();
  await look();

  expect([opened.content(), opened.state().isCurrent]).toEqual(["second", true]);
  expect(warnings).toEqual([expect.stringMatching(/: ENOENT.* The last good file stays in use\.$/)]);
});

it.each([
  ["none", async () => undefined, "ENOENT"],
  ["a folder", () => mkdir(file), "it is not a file"],
  ["one that is too large", () => writeFile(file, "#".repeat(1024 * 1024 + 1)), "it is larger than 1 MiB"],
  ["one that is wrong", () => writeFile(file, "wrong"), "it says wrong"],
])("does not open %s", async (_what, make, reason) => {
  await make();

  await expect(open()).rejects.toThrow(reason);
});

it("looks no more once it is closed", async () => {
  await writeFile(file, "first");
  const opened = await open();

  opened.close();

  expect(vi.getTimerCount()).toBe(0);
});
