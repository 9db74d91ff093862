import { ACCEPTED } from "../clients/browser.ts";
import { withClient } from "../engines/test-engines.ts";
import type { Server } from "../processes/server.ts";
import { startStatementServer } from "./statement.ts";

const TABLE = `create table if not exists daily_impressions (
  ad_id text not null, day date not null, impressions bigint not null, primary key (ad_id, day))`;
const UPSERT = `insert into daily_impressions (ad_id, day, impressions) values ($1, current_date, 1)
  on conflict (ad_id, day) do update set impressions = daily_impressions.impressions + 1`;

/** The common design: a daily row for each ad, which every impression adds one to. */
export async function startUpsertServer(
  databaseUrl: string,
  profileDir: string | undefined,
): Promise<Server> {
  await withClient(databaseUrl, (client) => client.query(TABLE));
  return startStatementServer(
    {
      databaseUrl,
      method: "POST",
      url: "/v1/ads/:adId/impressions",
      statement: UPSERT,
      parameters: ["adId"],
      answer: ACCEPTED,
    },
    profileDir,
  );
}
