import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { keepReserve, releaseReserve } from "./reserve.ts";

const MEBIBYTE = 1024 * 1024;
const free = (mebibytes: number) => async () => mebibytes * MEBIBYTE;

async function aFile(): Promise<string> {
  return join(await aFolder(), "reserve");
}

async function filled(file: string, mebibytes: number): Promise<number> {
  await keepReserve(file, free(mebibytes))();
  return await stat(file).then(
    ({ size }) => size / MEBIBYTE,
    () => 0,
  );
}

it("keeps 32 MiB, and half of what a disk has left at most", async () => {
  const file = await aFile();

  const sizes = [await filled(file, 1), await filled(file, 20), await filled(file, 1_000)];

  expect(sizes).toEqual([0, 10, 32]);
  expect(await filled(file, 1_000)).toBe(32);
});

it("is given to a disk that has no room for a start, and to no other", async () => {
  const file = await aFile();
  const without = await releaseReserve(file, free(0));
  await filled(file, 1_000);

  const released = [await releaseReserve(file, free(100)), await releaseReserve(file, free(31))];

  expect(without).toBe(false);
  expect(released).toEqual([false, true]);
  await expect(stat(file)).rejects.toThrow("ENOENT");
});
