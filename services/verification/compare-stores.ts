import { join } from "node:path";
import { readInstallationNote, readKnownDamage } from "#libs/database/installation-note.ts";
import { type LocalLogState, readLocalLog } from "#libs/event-log/index.ts";
import {
  type FoundStore,
  findLosses,
  noteSchema,
  readNoteFile,
  UPLOADS_NOTE,
} from "#libs/installation/index.ts";
import type { UnreadablePart } from "#libs/stats-store/index.ts";
import { findUnknownDamage } from "./damage.ts";
import { collect, type Difference } from "./difference.ts";
import type { OpenInstallation } from "./open-installation.ts";

/** Compares the notes of the stores, and finds damage that ClickHouse itself reports. */
export async function compareStores(installation: OpenInstallation): Promise<Difference[]> {
  const { database, stats, folder, logFile, hasBucket } = installation;
  const clickhouse = folder?.clickhouse ?? "CLICKHOUSE_URL";
  const found: FoundStore[] = [
    {
      name: "postgres",
      place: folder?.postgres ?? "DATABASE_URL",
      note: await readInstallationNote(database.db),
    },
    { name: "clickhouse", place: clickhouse, note: await stats.readNote() },
  ];
  if (folder !== null && !hasBucket) {
    const note = await readNoteFile(join(folder.uploads, UPLOADS_NOTE));
    found.push({ name: "uploads", place: folder.uploads, note });
  }
  // The log last: notes of the others must not be newer than its end.
  const log = logFile === null ? null : readLocalLog(logFile);
  if (logFile !== null) found.push({ name: "events", place: logFile, note: noteOf(log) });

  const known = new Set(await readKnownDamage(database.db));
  const losses = [
    ...findLosses(found, logFile === null ? null : (log?.end ?? 0)),
    ...(await findUnknownDamage(stats, clickhouse, known)),
  ];
  return [
    ...losses.map(({ message }) => said(message)),
    ...(await collect(describeUnreadable(stats.unreadableParts(), clickhouse))),
  ];
}

async function* describeUnreadable(
  parts: AsyncIterable<UnreadablePart>,
  place: string,
): AsyncGenerator<Difference> {
  for await (const { table, name, reason } of parts)
    yield said(`ClickHouse in ${place} cannot read part ${name} of ${table}: ${reason}`);
}

function noteOf(log: LocalLogState | null) {
  return log?.note === undefined || log.note === null ? null : noteSchema.parse(JSON.parse(log.note));
}

/** Finds the faults of an event log. `isRunning`: whether the product runs, so that ingestion should be processing it. */
export function compareLog(
  state: LocalLogState,
  damage: readonly string[],
  isRunning: boolean,
): Difference[] {
  const { end, committed, lag, intent, deadLetters } = state;
  const found = damage.map(said);
  if (committed > end) {
    found.push(
      said(`Everything up to batch ${committed} is marked as counted, and the log ends at batch ${end}.`),
    );
  }
  if (deadLetters > 0) {
    found.push(
      said(`ClickHouse has refused ${deadLetters} events, which lie in dead_letters and are not counted.`),
    );
  }
  if (isRunning && lag > 0) {
    found.push({
      signature: `stands still at ${committed}, ${intent}`,
      message: `${lag} events wait behind batch ${committed}, and ingestion does not move on.`,
    });
  }
  return found;
}

function said(message: string): Difference {
  return { signature: message, message };
}
