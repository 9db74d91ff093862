import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";

/** `events` first: what is left of a deletion that broke off is then still found by its counts. */
const TABLES = ["events", "daily"] as const;

/**
 * Removes a workspace's rows from both tables: parts that hold some are written again without them, and the others are
 * left alone. Waits for every replica that is there. Rejects as the client does.
 */
export async function eraseRows(
  client: ClickHouseClient,
  replicated: boolean,
  workspaceId: string,
): Promise<void> {
  const settings: ClickHouseSettings = { mutations_sync: replicated ? "2" : "1" };
  for (const table of TABLES) {
    if (!(await hasRows(client, table, workspaceId))) continue;
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE workspace_id = {workspaceId:String}`,
      query_params: { workspaceId },
      clickhouse_settings: settings,
    });
  }
}

async function hasRows(client: ClickHouseClient, table: string, workspaceId: string): Promise<boolean> {
  const result = await client.query({
    query: `SELECT 1 FROM ${table} WHERE workspace_id = {workspaceId:String} LIMIT 1`,
    query_params: { workspaceId },
    format: "JSONEachRow",
  });
  return (await result.json()).length > 0;
}
