/** Whether and how the tables are replicated. */
export interface Replication {
  /** `Replicated*` engines, which need Keeper and the macros `{shard}` and `{replica}` on every server. */
  readonly replicated: boolean;
  /** The cluster whose servers all get the tables, by `ON CLUSTER`; null makes them on the connected server alone. */
  readonly cluster: string | null;
}

/** The parameters of the schema. */
export interface SchemaOptions extends Replication {
  /** Raw events are dropped this many days after they occurred, a month at a time; `daily` and `quarter` are kept forever. */
  readonly eventRetentionDays: number;
  /** The counts of `wide` are dropped this many days after their events, a month at a time. */
  readonly splitRetentionDays: number;
  /** The number of inserts whose tokens a table remembers. */
  readonly deduplicationWindow: number;
}

/**
 * Tokens of a Replicated table are kept in Keeper for a week after the newest insert, where ClickHouse's default is an hour:
 * ingestion that stood still for a night repeats its last ranges.
 */
const DEDUPLICATION_WINDOW_SECONDS = 7 * 86_400;

/**
 * The path has the names of database and table instead of ClickHouse's default, the table's UUID: a server that joins later
 * runs the same statement and finds the same path, while its UUID would be a new one.
 */
const REPLICA = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";

/**
 * Fills in a statement of `schema/`: `{{engine:MergeTree}}`, `{{onCluster}}` after the name of the table,
 * `{{eventRetentionDays}}`, `{{splitRetentionDays}}`, and `{{deduplication}}` and `{{durability}}` among the settings of a table.
 */
export function renderSchema(statement: string, options: SchemaOptions): string {
  return statement
    .replaceAll(/\{\{engine:(\w+)\}\}/g, (_, engine: string) => renderEngine(engine, options.replicated))
    .replaceAll("{{onCluster}}", onCluster(options))
    .replaceAll("{{deduplication}}", renderSettings(deduplicationSettings(options)))
    .replaceAll("{{durability}}", renderSettings(DURABILITY))
    .replaceAll("{{eventRetentionDays}}", String(options.eventRetentionDays))
    .replaceAll("{{splitRetentionDays}}", String(options.splitRetentionDays));
}

/** Settings of a table, by name. */
export type TableSettings = Readonly<Record<string, number>>;

/**
 * The settings that let a table survive a power failure. By itself ClickHouse never syncs a part that it has merged or fetched
 * from a replica, and relies on the parts it was made of, which a server keeps for 8 minutes and chdb not at all.
 */
export const DURABILITY: TableSettings = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_fetch: 1,
  old_parts_lifetime: 480,
};

/**
 * The settings that make a table remember tokens. An engine ignores those of the other. A part that an erasure has emptied
 * stays, because ClickHouse forgets the tokens of a part that it drops, and a repeated range would bring the erased rows back
 * (`StorageMergeTree::dropPartNoWaitNoThrow`).
 */
export function deduplicationSettings({
  deduplicationWindow,
}: Pick<SchemaOptions, "deduplicationWindow">): TableSettings {
  return {
    non_replicated_deduplication_window: deduplicationWindow,
    replicated_deduplication_window: deduplicationWindow,
    replicated_deduplication_window_seconds: DEDUPLICATION_WINDOW_SECONDS,
    remove_empty_parts: 0,
  };
}

/** Settings in the syntax after `SETTINGS` and `MODIFY SETTING`. */
export function renderSettings(settings: TableSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
}

/** ` ON CLUSTER …`, or nothing. Takes a plain name only. */
export function onCluster({ cluster }: Pick<Replication, "cluster">): string {
  return cluster === null ? "" : ` ON CLUSTER \`${cluster}\``;
}

function renderEngine(engine: string, replicated: boolean): string {
  return replicated ? `Replicated${engine}(${REPLICA})` : engine;
}
