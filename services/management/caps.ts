import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { CAPS } from "#libs/domain/caps.ts";
import { conflict } from "#libs/http/index.ts";
import { lockCatalogue } from "./catalogue.ts";

/** The tables of what is counted by workspace. */
const TABLES = { tiers: "tiers", fields: "fields", apiKeys: "api_keys", members: "members" } as const;

/** Throws 409 where a workspace would have more of a thing than it may. The workspace's lock, taken here, lets none slip by. */
export async function keepCap(
  trx: Transaction<Tables>,
  what: keyof typeof TABLES,
  workspaceId: string,
): Promise<void> {
  await lockCatalogue(trx, workspaceId);
  const { total } = await trx
    .selectFrom(TABLES[what])
    .where("workspace_id", "=", workspaceId)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  refuseAbove(what, total + 1);
}

/** As `keepCap`, for the prices of a tier. */
export async function keepCapOfPrices(
  trx: Transaction<Tables>,
  { workspaceId, tierId }: { readonly workspaceId: string; readonly tierId: string },
): Promise<void> {
  await lockCatalogue(trx, workspaceId);
  const { total } = await trx
    .selectFrom("prices")
    .where("workspace_id", "=", workspaceId)
    .where("tier_id", "=", tierId)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  refuseAbove("prices", total + 1);
}

/** As `keepCap`, for open invitations; one that takes the place of an earlier one of the same address is none more. */
export async function keepCapOfInvitations(
  trx: Transaction<Tables>,
  { workspaceId, email, now }: { readonly workspaceId: string; readonly email: string; readonly now: Date },
): Promise<void> {
  await lockCatalogue(trx, workspaceId);
  const { total } = await trx
    .selectFrom("invitations")
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", ">", now)
    .where("email", "!=", email)
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  refuseAbove("invitations", total + 1);
}

/**
 * Throws 409 where a person owns more than `most` workspaces, with the one that the transaction has just made. The person's
 * lock, taken here, lets none slip by.
 */
export async function keepCapOfWorkspaces(
  trx: Transaction<Tables>,
  personId: string,
  most: number,
): Promise<void> {
  await trx.selectFrom("people").where("id", "=", personId).select("id").forNoKeyUpdate().execute();
  const { total } = await trx
    .selectFrom("members")
    .where("person_id", "=", personId)
    .where("role", "=", "Owner")
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  if (total <= most) return;
  throw conflict({
    formErrors: [`One person may own ${most} ${most === 1 ? "workspace" : "workspaces"} at most.`],
  });
}

function refuseAbove(what: keyof typeof CAPS, wanted: number): void {
  const { most, sentence } = CAPS[what];
  if (wanted > most) throw conflict({ formErrors: [sentence] });
}
