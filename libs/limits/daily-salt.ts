import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeDurably } from "#libs/files/index.ts";

/** Enough for an unguessable key; each further byte slows every event. */
const SALT_BYTES = 16;
const DAY_MS = 86_400_000;
const LATE_SECONDS = 3600;
const savedSalt = z.object({ day: z.string(), salt: z.string().regex(/^(?:[0-9a-f]{32}){1,2}$/) });

/** A random salt, as hex. */
export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString("hex");
}

/**
 * How long a shared store keeps a day's salt, which may be the next day's: until an hour after the day, for processes whose
 * clocks are behind. From an hour to 49 hours for any other day.
 */
export function saltLifetimeSeconds(day: string, now: number): number {
  const untilEnd = Math.ceil((Date.parse(day) + DAY_MS - now) / 1000);
  return Math.min(Math.max(untilEnd, 0), (2 * DAY_MS) / 1000) + LATE_SECONDS;
}

/** One secret per day, to hash visitors with. */
export interface DailySalts {
  saltOf(day: string): Promise<string>;
  /** Waits for the write in progress. */
  settled(): Promise<void>;
}

/**
 * Makes a day's salt at its first use. With a `file` the current day's salt survives a restart; the salt of the day before
 * stays only in memory, for events around midnight. The current day is the day of the last call, unless that is the day
 * before the current one, so that a clock that was wrong for a while has no lasting effect.
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

/** Undefined for a damaged file: a new salt only counts a day's visitors twice. */
async function readSalt(file: string): Promise<z.infer<typeof savedSalt> | undefined> {
  try {
    return savedSalt.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
