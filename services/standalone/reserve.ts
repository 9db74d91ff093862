import { randomBytes } from "node:crypto";
import { open, rm, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";

const MEBIBYTE = 1024 * 1024;
/** What a start after a kill needs: Postgres writes a segment of its log, 16 MiB, and all engines some files. */
const RESERVE_BYTES = 32 * MEBIBYTE;
const CHECK_EVERY_MS = 10 * 60_000;

/** The free bytes of the disk that a folder is on. */
export type FreeBytes = (folder: string) => Promise<number>;

/**
 * Gives the reserve to the disk where that has no room for a start. Nothing starts on a disk that is full to the last byte, not even to
 * serve ads or to say what could be deleted. Returns whether it did.
 */
export async function releaseReserve(file: string, freeBytes: FreeBytes = freeBytesOf): Promise<boolean> {
  if ((await freeBytes(dirname(file))) >= RESERVE_BYTES || (await sizeOf(file)) === 0) return false;
  await rm(file);
  return true;
}

/**
 * Keeps a file of 32 MiB that a later start can delete, and at most half of what the disk has left: fills it up now and every ten minutes. A
 * failure is left for the next time. Returns what ends that.
 */
export function keepReserve(file: string, freeBytes: FreeBytes = freeBytesOf): () => Promise<void> {
  let filling = Promise.resolve();
  const fill = () => {
    filling = filling.then(() => fillUp(file, freeBytes)).catch(() => undefined);
  };
  fill();
  const timer = setInterval(fill, CHECK_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await filling;
  };
}

async function fillUp(file: string, freeBytes: FreeBytes): Promise<void> {
  const size = await sizeOf(file);
  const room = Math.floor((await freeBytes(dirname(file))) / 2);
  const missing = Math.floor(Math.min(RESERVE_BYTES - size, room) / MEBIBYTE);
  if (missing <= 0) return;
  const handle = await open(file, "a", 0o600);
  try {
    // A disk that compresses would give zeros no room.
    for (let written = 0; written < missing; written += 1) await handle.write(randomBytes(MEBIBYTE));
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
