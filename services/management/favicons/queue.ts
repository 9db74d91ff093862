import { sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FaviconOwner } from "./owner.ts";

/** Another try costs little when it is our own trouble, such as a full disk. */
const MAX_ATTEMPTS = 5;
/** Jobs of a lower number are taken first. */
const LOWEST_PRIORITY = 1_000;

/** One try at finding an icon; the first is `attempt` 1. */
export interface FaviconSearch extends FaviconOwner {
  readonly attempt: number;
}

/**
 * Queues the search for the icon of the site that an ad or a workspace names, in the transaction that names it.
 */
export async function queueFavicon(trx: Transaction<Tables>, owner: FaviconOwner): Promise<void> {
  await queueSearch(trx, { workspaceId: owner.workspaceId, adId: owner.adId, attempt: 1 }, 0);
}

/**
 * Queues one try. Of an owner's searches only the newest is kept, unless it is under way; those of a workspace run one after
 * the other. A workspace that has many waiting comes after those that have few, so that nobody's slow sites hold up others.
 */
export async function queueSearch(
  trx: Transaction<Tables>,
  search: FaviconSearch,
  afterMinutes: number,
): Promise<void> {
  const queue = `favicon:${search.workspaceId}`;
  await sql`select graphile_worker.add_job(
    'favicon', ${JSON.stringify(search)}::json, queue_name => ${queue}, max_attempts => ${sql.lit(MAX_ATTEMPTS)},
    job_key => ${`favicon:${search.adId ?? search.workspaceId}`},
    priority => (select least(count(*), ${sql.lit(LOWEST_PRIORITY)})::int from graphile_worker.jobs where queue_name = ${queue}),
    run_at => now() + make_interval(mins => ${afterMinutes}::int)
  )`.execute(trx);
}
