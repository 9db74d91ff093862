import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { isSlug } from "#libs/domain/slug.ts";

/** The workspace whose ads the example shows, by its id or its slug; undefined when there is none. */
export async function findDemoWorkspace(db: Kysely<Tables>, idOrSlug: string) {
  if (!isId("workspace", idOrSlug) && !isSlug(idOrSlug)) return undefined;
  return await db
    .selectFrom("workspaces")
    .where((expression) =>
      expression.or([expression("id", "=", idOrSlug), expression("slug", "=", idOrSlug)]),
    )
    .select(["id", "name"])
    .executeTakeFirst();
}
