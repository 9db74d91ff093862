import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import { GRANT_MS } from "#libs/uploads/index.ts";
import type { Services } from "../services.ts";
import { refreshRecords } from "./arrivals.ts";

/** An upload that nothing uses is removed after a day. */
export const UNUSED_FOR_MS = 24 * 60 * 60_000;

const MEBIBYTE = 1024 * 1024;

/** How many grants a checkout may have open: given, not expired, and no file sent yet. */
export interface CheckoutGrants {
  readonly sessionId: string;
  readonly mostOpen: number;
}

/** A file that is going to be stored. */
export interface Reservation {
  readonly key: string;
  readonly workspaceId: string;
  readonly bytes: number;
  /** Null for publishers, who are limited by the quota alone, and for files of our own. */
  readonly checkout: CheckoutGrants | null;
}

type QuotaServices = Pick<Services, "db" | "uploads" | "uploadQuotaBytes" | "now">;

/**
 * Records a file before it is stored, within the workspace's quota and the checkout's open grants: 409 beyond either, 404 for a
 * workspace that is gone. Of
 * two that race for the last room one is refused. Before a refusal the store is asked which grants were used.
 */
export async function reserveUpload(services: QuotaServices, reservation: Reservation): Promise<void> {
  if ((await tryReserve(services, reservation)) === "reserved") return;
  await refreshRecords(services, reservation.workspaceId, reservation.checkout);
  const outcome = await tryReserve(services, reservation);
  if (outcome === "no room") throw conflict({ formErrors: [noRoom(services)] });
  if (outcome === "too many open") throw conflict({ formErrors: [tooManyOpen(reservation.checkout)] });
}

/** What is said where a file does not fit into the workspace's quota. */
export function noRoom({ uploadQuotaBytes }: Pick<Services, "uploadQuotaBytes">): string {
  return `The workspace has no room for this file: its uploads may take ${Math.floor(uploadQuotaBytes / MEBIBYTE)} MiB in all.`;
}

function tooManyOpen(checkout: CheckoutGrants | null): string {
  return `This checkout has ${checkout?.mostOpen ?? 0} uploads open. Send their files, or wait five minutes.`;
}

async function tryReserve({ db, uploadQuotaBytes, now }: QuotaServices, reservation: Reservation) {
  const { key, workspaceId, bytes, checkout } = reservation;
  return await db.transaction().execute(async (trx) => {
    // First, as a submission that holds the same file takes the workspace's lock after it.
    await trx
      .selectFrom("uploads")
      .where("workspace_id", "=", workspaceId)
      .where("key", "=", key)
      .select("key")
      .forNoKeyUpdate()
      .execute();
    // Reservations of a workspace go one after the other, so that none overlooks another.
    const workspace = await trx
      .selectFrom("workspaces")
      .where("id", "=", workspaceId)
      .select("id")
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (workspace === undefined) throw notFound("Workspace");
    if ((await sumBytes(trx, workspaceId, key)) + bytes > uploadQuotaBytes) return "no room";
    const granted = now();
    if (checkout !== null) {
      const open = await countOpen(trx, workspaceId, checkout.sessionId, new Date(granted - GRANT_MS));
      if (open >= checkout.mostOpen) return "too many open";
    }
    const times = { granted_at: new Date(granted), due_at: new Date(granted + UNUSED_FOR_MS) };
    await trx
      .insertInto("uploads")
      .values({
        key,
        workspace_id: workspaceId,
        bytes,
        checkout_session_id: checkout?.sessionId ?? null,
        ...times,
      })
      .onConflict((known) => known.column("key").doUpdateSet({ ...times, bytes }))
      .execute();
    return "reserved";
  });
}

async function sumBytes(trx: Transaction<Tables>, workspaceId: string, except: string): Promise<number> {
  const { bytes } = await trx
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("key", "<>", except)
    .select((select) => select.fn.sum<number | null>("bytes").as("bytes"))
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

async function countOpen(
  db: Kysely<Tables>,
  workspaceId: string,
  sessionId: string,
  since: Date,
): Promise<number> {
  const { open } = await db
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("checkout_session_id", "=", sessionId)
    .where("arrived_at", "is", null)
    .where("granted_at", ">", since)
    .select((select) => select.fn.countAll<number>().as("open"))
    .executeTakeFirstOrThrow();
  return open;
}
