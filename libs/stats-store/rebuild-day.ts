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

/** What stands around the view's query, which has no condition of its own. */
const VIEW_BEGINS = " TO daily AS\n";
const GROUPS_BEGIN = "\nGROUP BY ";

/** The view's own query, for one day. */
async function selectOfDay(): Promise<string> {
  const view = await readFile(VIEW, "utf8");
  const begin = view.indexOf(VIEW_BEGINS);
  const groups = view.lastIndexOf(GROUPS_BEGIN);
  if (begin < 0 || groups < begin) throw new Error(`${VIEW.pathname} has another form.`);
  const select = view.slice(begin + VIEW_BEGINS.length, groups);
  return `${select}
    WHERE occurred_at >= toDateTime64({day:Date}, 3, 'UTC') AND toDate(occurred_at) = {day:Date}
    ${view.slice(groups).trim()}`;
}
