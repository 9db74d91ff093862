import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { containing } from "../store/like-pattern.ts";

/** The longest list of each kind. */
const MOST_LISTED = 100;

/** The newest people whose name or email address contains the text, ignoring case. */
export async function listPeople(db: Kysely<Tables>, text: string) {
  const containsText = containing(text);
  return await db
    .selectFrom("people")
    .where((where) => where.or([where("email", "ilike", containsText), where("name", "ilike", containsText)]))
    .select([
      "id",
      "email",
      "created_at",
      "suspended_at",
      sql<number>`(select count(*) from members where person_id = people.id)`.as("workspaces"),
      sql<number>`count(*) over ()`.as("total"),
    ])
    .orderBy("id", "desc")
    .limit(MOST_LISTED)
    .execute();
}

/** The newest workspaces whose name or slug contains the text, ignoring case. */
export async function listWorkspaces(db: Kysely<Tables>, text: string) {
  const containsText = containing(text);
  return await db
    .selectFrom("workspaces")
    .where((where) => where.or([where("slug", "ilike", containsText), where("name", "ilike", containsText)]))
    .select([
      "id",
      "slug",
      "created_at",
      "suspended_at",
      "erasing_since",
      sql<number>`(select count(*) from members where workspace_id = workspaces.id)`.as("members"),
      sql<number>`(select count(*) from ads where workspace_id = workspaces.id)`.as("ads"),
      sql<number>`(
        select count(*) from subscriptions
        where workspace_id = workspaces.id and status in ('Active', 'Trialing', 'PastDue')
      )`.as("subscriptions"),
      sql<number>`count(*) over ()`.as("total"),
    ])
    .orderBy("id", "desc")
    .limit(MOST_LISTED)
    .execute();
}

/** Suspends a person or a workspace at `since`, or restores it (null). False if that changes nothing. */
export async function markSuspended(
  trx: Transaction<Tables>,
  table: "people" | "workspaces",
  id: string,
  since: Date | null,
): Promise<boolean> {
  const changed = await trx
    .updateTable(table)
    .set({ suspended_at: since })
    .where("id", "=", id)
    .where("suspended_at", since === null ? "is not" : "is", null)
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}

/** The memberships of a person. */
export async function membershipsOf(trx: Transaction<Tables>, personId: string) {
  return await trx
    .selectFrom("members")
    .where("person_id", "=", personId)
    .select(["id", "workspace_id"])
    .orderBy("id")
    .execute();
}

/** Ends the sessions of a person; returns how many there were. */
export async function endSessions(trx: Transaction<Tables>, personId: string): Promise<number> {
  const ended = await trx.deleteFrom("sessions").where("person_id", "=", personId).returning("id").execute();
  return ended.length;
}

/** Switches a person's two-factor sign-in off. False if it was off already. */
export async function removeSecondFactor(trx: Transaction<Tables>, personId: string): Promise<boolean> {
  const changed = await trx
    .updateTable("people")
    .set({ two_factor_enabled: false })
    .where("id", "=", personId)
    .where("two_factor_enabled", "=", true)
    .returning("id")
    .executeTakeFirst();
  await trx.deleteFrom("two_factors").where("person_id", "=", personId).execute();
  return changed !== undefined;
}
