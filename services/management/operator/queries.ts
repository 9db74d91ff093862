import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** How many are listed of each kind. */
export const MOST_LISTED = 100;

/** The newest people whose name or e-mail address holds the text, in any case; all for an empty one. */
export async function listPeople(db: Kysely<Tables>, text: string) {
  const holdsText = contains(text);
  return await db
    .selectFrom("people")
    .where((where) => where.or([where("email", "ilike", holdsText), where("name", "ilike", holdsText)]))
    .select((select) => [
      "id",
      "email",
      "created_at",
      "suspended_at",
      select
        .selectFrom("members")
        .whereRef("members.person_id", "=", "people.id")
        .select((count) => count.fn.countAll<number>().as("count"))
        .as("workspaces"),
      select.fn.countAll<number>().over().as("total"),
    ])
    .orderBy("id", "desc")
    .limit(MOST_LISTED)
    .execute();
}

/** The newest workspaces whose name or slug holds the text, in any case; all for an empty one. */
export async function listWorkspaces(db: Kysely<Tables>, text: string) {
  const holdsText = contains(text);
  return await db
    .selectFrom("workspaces")
    .where((where) => where.or([where("slug", "ilike", holdsText), where("name", "ilike", holdsText)]))
    .select((select) => [
      "id",
      "slug",
      "created_at",
      "suspended_at",
      "erasing_since",
      select
        .selectFrom("members")
        .whereRef("members.workspace_id", "=", "workspaces.id")
        .select((count) => count.fn.countAll<number>().as("count"))
        .as("members"),
      select
        .selectFrom("ads")
        .whereRef("ads.workspace_id", "=", "workspaces.id")
        .select((count) => count.fn.countAll<number>().as("count"))
        .as("ads"),
      select
        .selectFrom("subscriptions")
        .whereRef("subscriptions.workspace_id", "=", "workspaces.id")
        .where("subscriptions.status", "in", ["Active", "Trialing", "PastDue"])
        .select((count) => count.fn.countAll<number>().as("count"))
        .as("subscriptions"),
      select.fn.countAll<number>().over().as("total"),
    ])
    .orderBy("id", "desc")
    .limit(MOST_LISTED)
    .execute();
}

/** Suspends a person at `since`, or restores them (null). False if that changes nothing. */
export async function setPersonSuspended(
  trx: Transaction<Tables>,
  personId: string,
  since: Date | null,
): Promise<boolean> {
  const changed = await trx
    .updateTable("people")
    .set({ suspended_at: since })
    .where("id", "=", personId)
    .where("suspended_at", since === null ? "is not" : "is", null)
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}

/** As `setPersonSuspended`, of a workspace. */
export async function setWorkspaceSuspended(
  trx: Transaction<Tables>,
  workspaceId: string,
  since: Date | null,
): Promise<boolean> {
  const changed = await trx
    .updateTable("workspaces")
    .set({ suspended_at: since })
    .where("id", "=", workspaceId)
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

function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
