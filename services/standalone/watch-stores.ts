import { join } from "node:path";
import type { Logger } from "pino";
import type { Shutdown } from "#libs/async/index.ts";
import type { Database } from "#libs/database/connection.ts";
import {
  readInstallationNote,
  readKnownDamage,
  writeInstallationNote,
  writeKnownDamage,
} from "#libs/database/installation-note.ts";
import type { LocalEventLog } from "#libs/event-log/index.ts";
import {
  DataLossError,
  keepCheckpoints,
  type Loss,
  type NotedStore,
  noteSchema,
  readNoteFile,
  writeNoteFile,
} from "#libs/installation/index.ts";
import { StartError } from "#libs/process/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

/** In the folder of uploads, where folders of workspaces cannot have this name. */
export const UPLOADS_NOTE = "installation.json";

const SHOWN_NAMES = 5;

interface Stores {
  readonly folder: DataFolder;
  readonly database: Database;
  readonly stats: StatsStore;
  /** Null where the log is in Kafka. */
  readonly log: LocalEventLog | null;
}

/**
 * Compares the notes of the stores and updates them from then on (`libs/installation`). Throws a `StartError` that names each
 * store with a loss, unless `ACCEPT_DATA_LOSS` names it too.
 */
export async function watchStores(
  configuration: Pick<Configuration, "acceptDataLoss" | "bucket">,
  stores: Stores,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const { database, log } = stores;
  const accepted = configuration.acceptDataLoss;
  const damage = await damageOf(stores.stats, stores.folder.clickhouse);
  const known = new Set(await readKnownDamage(database.db));
  const checkpoints = await keepCheckpoints({
    stores: notedStores(stores, configuration.bucket === null),
    logEnd: async () => (log === null ? null : await log.end()),
    otherLosses: unknownDamage(damage, known),
    accepted,
    onWarning: (message, error) => logger.warn({ err: error }, message),
  }).catch((error: unknown) => {
    throw error instanceof DataLossError ? new StartError(error.message, { cause: error }) : error;
  });
  // Damage that was repaired is removed from the list, so that it is reported if it comes back.
  await writeKnownDamage(
    database.db,
    damage.flatMap(({ names }) => names),
  );
  shutdown.onRelease("the checkpoints", () => checkpoints.close());
}

/** In the order in which notes are written. The database is last: once it has its note, the first start is complete. */
function notedStores({ folder, database, stats, log }: Stores, hasUploads: boolean): NotedStore[] {
  const uploadsNote = join(folder.uploads, UPLOADS_NOTE);
  const events: NotedStore[] = log === null ? [] : [notedLog(folder.eventLog, log)];
  const uploads: NotedStore = {
    name: "uploads",
    place: folder.uploads,
    readNote: () => readNoteFile(uploadsNote),
    writeNote: (note) => writeNoteFile(uploadsNote, note),
  };
  return [
    ...events,
    {
      name: "clickhouse",
      place: folder.clickhouse,
      readNote: () => stats.readNote(),
      writeNote: (note) => stats.writeNote(note),
    },
    ...(hasUploads ? [uploads] : []),
    {
      name: "postgres",
      place: folder.postgres,
      readNote: () => readInstallationNote(database.db),
      writeNote: (note) => writeInstallationNote(database.db, note, new Date()),
    },
  ];
}

function notedLog(place: string, log: LocalEventLog): NotedStore {
  return {
    name: "events",
    place,
    async readNote() {
      const note = await log.readNote();
      return note === null ? null : noteSchema.parse(JSON.parse(note));
    },
    writeNote: (note) => log.writeNote(JSON.stringify(note)),
  };
}

interface Damage {
  /** The damaged things, by the names under which they are recorded once accepted. */
  readonly names: readonly string[];
  readonly loss: (unknown: readonly string[]) => string;
}

/** Damaged parts that ClickHouse detached, and deduplication logs that it lost. */
async function damageOf(stats: StatsStore, where: string): Promise<Damage[]> {
  const place = `ClickHouse in ${where}`;
  const lostParts = (await stats.brokenParts()).filter(({ isReplaced }) => !isReplaced);
  const forgetful = await stats.forgetfulTables();
  return [
    {
      names: lostParts.map(({ table, name }) => `${table}/${name}`),
      loss: (parts) =>
        `${place} could not read ${parts.length} parts and put them into detached/: ${listOf(parts)}. Their events are missing.`,
    },
    {
      names: forgetful.map((table) => `${table}/deduplication log`),
      loss: (logs) => `${place} has lost ${listOf(logs)}: events that were under way may be counted twice.`,
    },
  ];
}

/** The damage to ClickHouse that nobody has accepted at a start. `where` is the place to name in messages. */
export async function findUnknownDamage(
  stats: StatsStore,
  where: string,
  known: ReadonlySet<string>,
): Promise<Loss[]> {
  return unknownDamage(await damageOf(stats, where), known);
}

/** The part of the damage that nobody has accepted yet, in one sentence per kind. */
function unknownDamage(damage: readonly Damage[], known: ReadonlySet<string>): Loss[] {
  return damage.flatMap(({ names, loss }): Loss[] => {
    const unknown = names.filter((name) => !known.has(name));
    return unknown.length === 0 ? [] : [{ store: "clickhouse", message: loss(unknown) }];
  });
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).join(", ");
  return names.length > SHOWN_NAMES ? `${shown} and others` : shown;
}
