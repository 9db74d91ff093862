import type { Kysely } from "kysely";
import type { MeasuredUpload } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";

/** What is remembered of a workspace's uploads with these keys. It holds for the version of the file that was measured only. */
export async function findMeasured(
  db: Kysely<Tables>,
  workspaceId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, MeasuredUpload>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("key", "in", keys)
    .select(["key", "measured"])
    .execute();
  return new Map(rows.flatMap(({ key, measured }) => (measured === null ? [] : [[key, measured] as const])));
}

/** Remembers what an upload measures; an upload without a record is measured again the next time. */
export async function rememberSize(
  db: Kysely<Tables>,
  workspaceId: string,
  key: string,
  measured: MeasuredUpload,
): Promise<void> {
  // A store that tells no versions may replace the file unseen.
  if (measured.version === "") return;
  await db
    .updateTable("uploads")
    .set({ measured: JSON.stringify(measured) })
    .where("workspace_id", "=", workspaceId)
    .where("key", "=", key)
    .execute();
}
