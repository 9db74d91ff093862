import { readFile } from "node:fs/promises";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { catchUp } from "./comparison.ts";

const VIEW = new URL("schema/0003_daily_from_events.sql", import.meta.url);

/**
 * Makes the rows of `daily` of one day from `events` again: removes those that are there, then inserts what the view that
 * fills the table would. A rebuild that broke off is made good by the next. Nothing may be inserted meanwhile. Rejects as
 * the client does.
 */
export async function rebuildDaily(
  client: ClickHouseClient,
  replicated: boolean,
  ofEngine: ClickHouseSettings,
  day: string,
): Promise<void> {
  await catchUp(client, replicated);
  await client.command({
    query: "ALTER TABLE daily DELETE WHERE day = {day:Date}",
    query_params: { day },
    clickhouse_settings: { mutations_sync: replicated ? "2" : "1" },
  });
  await client.command({
    query: `INSERT INTO daily ${await selectOfDay()}`,
    query_params: { day },
    clickhouse_settings: {
      ...ofEngine,
      // The same rows as by an earlier rebuild are no repetition.
      insert_deduplicate: 0,
      async_insert: 0,
    },
  });
}

/** The view's own query, for one day. */
async function selectOfDay(): Promise<string> {
  const view = await readFile(VIEW, "utf8");
  const [, select, groups] = /\bTO daily AS\n([\s\S]+\nFROM events)\n(GROUP BY [\w, ]+)\s*$/.exec(view) ?? [];
  if (select === undefined || groups === undefined) throw new Error(`${VIEW.pathname} has another form.`);
  return `${select}
    WHERE occurred_at >= toDateTime64({day:Date}, 3, 'UTC') AND toDate(occurred_at) = {day:Date}
    ${groups}`;
}
