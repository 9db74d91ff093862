import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeDurably } from "#libs/files/index.ts";

/** As many as a key that nobody can guess needs; each more makes every event dearer. */
const SALT_BYTES = 16;
const DAY_MS = 86_400_000;
const LATE_SECONDS = 3600;
const savedSalt = z.object({ day: z.string(), salt: z.string().regex(/^(?:[0-9a-f]{32}){1,2}$/) });

/** A salt that nobody has had before, as text. */
export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString("hex");
}

/**
 * How long a shared store keeps a day's salt: until the day is over, and an hour longer for processes whose clocks are
 * behind. A day that is wrong by the clock gets an hour, or a day and an hour, at most.
 */
export function saltLifetimeSeconds(day: string, now: number): number {
  const untilEnd = Math.ceil((Date.parse(day) + DAY_MS - now) / 1000);
  return Math.min(Math.max(untilEnd, 0), DAY_MS / 1000) + LATE_SECONDS;
}

/** The secret that visitors are hashed with, one a day. */
export interface DailySalts {
  saltOf(day: string): Promise<string>;
  /** Waits for what is being written. */
  settled(): Promise<void>;
}

/**
 * Makes a day's salt when it is first asked for. With a `file` the current day's survives a restart; the day before is
 * overwritten there and stays in memory only for the events around midnight. The current day is the one asked for
 * last, unless that is the day before it, so a clock that was wrong for a while does not stay in charge.
 */
export function createDailySalts(file?: string): DailySalts {
  const salts = new Map<string, Promise<string>>();
  let current: string | undefined;
  let work: Promise<unknown> = Promise.resolve();

  async function readOrMake(day: string, isCurrent: boolean): Promise<string> {
    const saved = file === undefined ? undefined : await readSalt(file);
    if (saved?.day === day) return saved.salt;
    const salt = newSalt();
    if (file !== undefined && isCurrent) await writeDurably(file, `${JSON.stringify({ day, salt })}\n`);
    return salt;
  }

  function begin(day: string): Promise<string> {
    const isCurrent = current === undefined || Date.parse(current) - Date.parse(day) !== DAY_MS;
    const neighbour = current;
    if (isCurrent) current = day;
    for (const known of salts.keys()) {
      if (known !== neighbour) salts.delete(known);
    }
    // One after the other: two writes at once could leave the older day in the file.
    const salt = work.then(() => readOrMake(day, isCurrent));
    work = salt.catch(() => salts.delete(day));
    salts.set(day, salt);
    return salt;
  }

  return {
    saltOf: (day) => salts.get(day) ?? begin(day),
    settled: async () => {
      await work;
    },
  };
}

/** What cannot be read as a salt is none: the loss costs a day's visitors counted twice, not the service. */
async function readSalt(file: string): Promise<z.infer<typeof savedSalt> | undefined> {
  try {
    return savedSalt.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
