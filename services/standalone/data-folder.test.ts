import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openDataFolder } from "./data-folder.ts";

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

it("makes a folder that its owner alone can enter", async () => {
  const path = join(await aFolder(), "data");

  const folder = await openDataFolder(path, vi.fn());

  expect(await modeOf(path)).toBe("700");
  folder.release();
});

it("closes a folder that an earlier version left open to others, and what lies in it", async () => {
  const path = await aFolder();
  await chmod(path, 0o755);
  await writeFile(join(path, "sandbox.db"), "");
  await chmod(join(path, "sandbox.db"), 0o644);
  await mkdir(join(path, "uploads"));
  await chmod(join(path, "uploads"), 0o755);
  const onWarning = vi.fn();

  const folder = await openDataFolder(path, onWarning);

  expect(await modeOf(path)).toBe("700");
  expect(await modeOf(join(path, "sandbox.db"))).toBe("600");
  expect(await modeOf(join(path, "uploads"))).toBe("700");
  expect(onWarning).not.toHaveBeenCalled();
  folder.release();
});
