import type { ClickHouseClient } from "@clickhouse/client";
import { type Note, noteSchema } from "#libs/installation/index.ts";

/** The note with the highest checkpoint; null before the first. Rejects as the client does. */
export async function selectNote(client: ClickHouseClient): Promise<Note | null> {
  const result = await client.query({
    query: "SELECT note FROM installation ORDER BY checkpoint DESC LIMIT 1",
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ note: string }>();
  return row === undefined ? null : noteSchema.parse(JSON.parse(row.note));
}

/** Adds the note; a merge drops the earlier ones. It is on the disk when this resolves. */
export async function insertNote(client: ClickHouseClient, note: Note): Promise<void> {
  await client.insert({
    table: "installation",
    columns: ["note", "checkpoint"],
    values: [[JSON.stringify(note), note.checkpoint]],
    format: "JSONCompactEachRow",
    clickhouse_settings: { async_insert: 0 },
  });
}
