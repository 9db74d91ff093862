import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { readAtOneMoment } from "../one-moment.ts";
import { type PageRequest, placePage } from "../pages.ts";

/** One page of a workspace's changes, newest first. */
export async function listChanges(db: Kysely<Tables>, workspaceId: string, page: PageRequest) {
  return await readAtOneMoment(db, async (trx) => {
    const entries = trx.selectFrom("audit_log").where("workspace_id", "=", workspaceId);
    const { total } = await entries
      .select((select) => select.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    const { envelope, offset } = placePage(Number(total), page);
    const rows = await entries.selectAll().orderBy("id", "desc").limit(page.perPage).offset(offset).execute();
    return { envelope, rows };
  });
}
