import { randomBytes } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createThrottledWarning, type Warn } from "#libs/async/index.ts";
import { makeFolderDurably, renameDurably, writeDurably } from "#libs/files/index.ts";
import type { Limits } from "#libs/limits/index.ts";

const DAY_MS = 86_400_000;
/** How long a day's salt is kept after the day, for events around midnight. */
const KEPT_MS = 3_600_000;
const UPKEEP_EVERY_MS = 600_000;
const SALT_BYTES = 16;
const FILE = /^salt-(\d{4}-\d{2}-\d{2})/;
const SALT = /^(?:[0-9a-f]{32}){1,2}$/;

/** The secrets that visitors are hashed with. */
export interface VisitorSalts {
  /** The salt of a UTC day (`2026-11-21`). */
  of(day: string): Promise<string>;
  /** Waits for what is in progress. */
  close(): Promise<void>;
}

export interface KeptSaltsOptions {
  readonly limits: Pick<Limits, "visitorSalt">;
  /** Several processes may share it. */
  readonly folder: string;
  readonly onWarning: Warn;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Keeps the shared salts of today and tomorrow in files that only their owner can read, so that a process that starts while
 * Redis is away has them. One that has neither draws its own for as long as Redis is away: some visitors of the day then
 * count twice. No salt is derived from a lasting secret, because it has to be forgettable: a file goes an hour after its day.
 */
export function createKeptSalts({ limits, folder, onWarning, now }: KeptSaltsOptions): VisitorSalts {
  const warn = createThrottledWarning(onWarning);
  const saved = new Map<string, string>();
  const own = new Map<string, string>();
  let work: Promise<unknown> = Promise.resolve();
  let learning: Promise<unknown> = Promise.resolve();

  /** One after the other. A failure costs only the next start its salt. */
  function doNext(step: () => Promise<void>): void {
    work = work.then(step).catch((error: unknown) => {
      warn(`Visitors' salts cannot be kept in ${folder}.`, error, "salt files");
    });
  }

  async function upkeep(): Promise<void> {
    for (const name of await readdir(folder)) {
      const day = FILE.exec(name)?.[1];
      // Another process may be doing the same.
      if (day !== undefined && isOver(day, now())) await rm(join(folder, name), { force: true });
    }
    for (const known of [saved, own]) {
      for (const day of known.keys()) if (isOver(day, now())) known.delete(day);
    }
  }

  function learnAhead(): void {
    learning = Promise.allSettled([dayOf(now()), dayOf(now() + DAY_MS)].map(shared));
    doNext(upkeep);
  }

  async function shared(day: string): Promise<string> {
    const salt = await limits.visitorSalt(day);
    if (saved.get(day) !== salt && !isOver(day, now())) {
      saved.set(day, salt);
      doNext(() => write(join(folder, `salt-${day}`), salt));
    }
    return salt;
  }

  async function withoutRedis(day: string, error: unknown): Promise<string> {
    await work;
    const known = saved.get(day) ?? own.get(day);
    if (known !== undefined) return known;
    warn(
      `Nobody knows the salt of ${day}; until Redis is back this process hashes visitors by its own.`,
      error,
    );
    const drawn = randomBytes(SALT_BYTES).toString("hex");
    own.set(day, drawn);
    return drawn;
  }

  doNext(async () => {
    await makeFolderDurably(folder);
    for (const [day, salt] of await readAll(folder, now())) if (!saved.has(day)) saved.set(day, salt);
  });
  learnAhead();
  const timer = setInterval(learnAhead, UPKEEP_EVERY_MS).unref();

  return {
    of: (day) => shared(day).catch((error: unknown) => withoutRedis(day, error)),
    async close() {
      clearInterval(timer);
      await learning;
      await work;
    },
  };
}

function isOver(day: string, now: number): boolean {
  return Date.parse(day) + DAY_MS + KEPT_MS < now;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Under a draft's name of its own, because other processes write the same file. In containers they have the same number. */
async function write(path: string, salt: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeDurably(draft, salt);
  await renameDurably(draft, path);
}

/** Without those that are over, which another process may be removing. */
async function readAll(folder: string, now: number): Promise<Map<string, string>> {
  const salts = new Map<string, string>();
  for (const name of await readdir(folder)) {
    const day = FILE.exec(name)?.[1];
    if (day === undefined || name !== `salt-${day}` || isOver(day, now)) continue;
    const salt = await readFile(join(folder, name), "utf8");
    if (SALT.test(salt)) salts.set(day, salt);
  }
  return salts;
}
