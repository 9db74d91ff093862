import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type PageRequest, readPageOf } from "../pages.ts";

/** One page of a workspace's changes, newest first. */
export async function listChanges(db: Kysely<Tables>, workspaceId: string, page: PageRequest) {
  return await readPageOf(
    db,
    page,
    (at) => at.selectFrom("audit_log").where("workspace_id", "=", workspaceId),
    (found, total) => found.selectAll().select(total).orderBy("id", "desc"),
  );
}
