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
  type NotedStore,
  noteSchema,
  readNoteFile,
  UPLOADS_NOTE,
  writeNoteFile,
} from "#libs/installation/index.ts";
import { StartError } from "#libs/process/index.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { damageOf, unknownDamage } from "../verification/damage.ts";
import type { Configuration } from "./configuration.ts";
import type { DataFolder } from "./data-folder.ts";

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
