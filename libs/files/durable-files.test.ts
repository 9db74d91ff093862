import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { makeFolderDurably, renameDurably, writeDurably } from "./index.ts";

let folder: string;

beforeEach(async () => {
  folder = await aFolder();
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

it("writes a file that its owner alone can read, and leaves no draft behind", async () => {
  await writeDurably(join(folder, "secrets.json"), "first");
  await writeDurably(join(folder, "secrets.json"), "second");

  expect(await readFile(join(folder, "secrets.json"), "utf8")).toBe("second");
  expect(await readdir(folder)).toEqual(["secrets.json"]);
  expect(await modeOf(join(folder, "secrets.json"))).toBe("600");
});

it("replaces a draft that an earlier process has left, whatever its mode and length", async () => {
  const draft = join(folder, "password.new");
  await writeFile(draft, "half of a much longer text");
  await chmod(draft, 0o666);

  await writeDurably(join(folder, "password"), "whole");

  expect(await readFile(join(folder, "password"), "utf8")).toBe("whole");
  expect(await readdir(folder)).toEqual(["password"]);
  expect(await modeOf(join(folder, "password"))).toBe("600");
});

it("keeps the file as it was when the new content cannot be written", async () => {
  const file = join(folder, "salt.json");
  await writeDurably(file, "old");
  await mkdir(`${file}.new`);

  await expect(writeDurably(file, "new")).rejects.toMatchObject({ code: "EISDIR" });

  expect(await readFile(file, "utf8")).toBe("old");
});

it("makes a folder with those above it for the owner alone, and leaves one that is there as it is", async () => {
  await makeFolderDurably(join(folder, "a", "b"));
  await chmod(join(folder, "a"), 0o755);
  await makeFolderDurably(join(folder, "a"));

  expect(await modeOf(join(folder, "a", "b"))).toBe("700");
  expect(await modeOf(join(folder, "a"))).toBe("755");
});

it("renames from folder to folder", async () => {
  await makeFolderDurably(join(folder, "to"));
  await writeDurably(join(folder, "file"), "text");

  await renameDurably(join(folder, "file"), join(folder, "to", "file"));

  expect(await readdir(folder)).toEqual(["to"]);
  expect(await readFile(join(folder, "to", "file"), "utf8")).toBe("text");
});
