import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Refusal } from "#libs/domain/error-reasons.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import {
  GRANT_MS,
  type OwnFile,
  ownFileKey,
  parseUploadKey,
  type UploadGrant,
  type UploadRequest,
} from "#libs/uploads/index.ts";
import { type RecordPorts, refreshRecords } from "./arrivals.ts";

/**
 * Grants an upload within the limits and records it, so that an unused file is found and removed. Throws 409 beyond the
 * workspace's quota and for a checkout with too many open grants.
 */
export async function grantUpload(
  ports: UploadPorts,
  request: UploadRequest,
  checkout: CheckoutGrants | null,
): Promise<UploadGrant> {
  const grant = await ports.uploads.grant(request);
  const { workspaceId, contentLength: bytes } = request;
  const refusal = await reserveUpload(ports, { key: grant.key, workspaceId, bytes, checkout });
  if (refusal !== null) throw conflict(refusal.reason, { formErrors: [refusal.sentence] });
  return grant;
}

/**
 * Stores a small file of our own, a favicon; the caller has a day to write its address where `removal.ts` finds it. It
 * counts towards the workspace's quota but is never refused by it. The record comes first and waits for a removal in
 * progress, because the same file always has the same key.
 */
export async function storeOwnFile({ uploads, db, now }: RecordPorts, file: OwnFile) {
  await recordUpload(db, ownFileKey(file, file.bytes.length), now(), file.bytes.length);
  return await uploads.put(file);
}

/** Records an upload, or that it is wanted again, and keeps it for a day. `bytes` is 0 if the size is unknown. */
export async function recordUpload(db: Kysely<Tables>, key: string, now: number, bytes: number) {
  const times = { granted_at: new Date(now), due_at: new Date(now + UNUSED_FOR_MS) };
  await db
    .insertInto("uploads")
    .values({ key, workspace_id: parseUploadKey(key)?.workspaceId ?? "", bytes, ...times })
    .onConflict((conflict) => conflict.column("key").doUpdateSet(times))
    .execute();
}

/**
 * Keeps uploads from being removed until the transaction ends; waits for a removal in progress. Returns the recorded ones
 * with the time of their grant in milliseconds since the epoch.
 */
export async function holdUploads(
  trx: Transaction<Tables>,
  workspaceId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await trx
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("key", "in", keys)
    .select(["key", "granted_at"])
    .orderBy("key")
    .forKeyShare()
    .execute();
  return new Map(rows.map(({ key, granted_at }) => [key, granted_at.getTime()]));
}

/** An upload that is not used is removed after a day. */
export const UNUSED_FOR_MS = 24 * 60 * 60_000;

const MEBIBYTE = 1024 * 1024;

interface CheckoutGrants {
  readonly sessionId: string;
  /** The grants that the checkout may have open: given, not expired, and no file sent yet. */
  readonly mostOpen: number;
}

/** A file that is going to be stored. */
interface Reservation {
  readonly key: string;
  readonly workspaceId: string;
  readonly bytes: number;
  /** Null for publishers, who are limited by the quota alone, and for files of our own. */
  readonly checkout: CheckoutGrants | null;
}

export interface UploadPorts extends RecordPorts {
  /** The limit for the uploads of one workspace, open grants included. */
  readonly uploadQuotaBytes: number;
}

/**
 * Records a file before it is stored. Returns the reason if it is beyond the workspace's quota or the checkout's open grants.
 * Throws 404 for an unknown workspace. Of two that race for the last room one is refused. Before a refusal the store is
 * asked which grants were used.
 */
export async function reserveUpload(ports: UploadPorts, reservation: Reservation): Promise<Refusal | null> {
  if ((await refusalOf(ports, reservation)) === null) return null;
  await refreshRecords(ports, reservation.workspaceId, reservation.checkout);
  return await refusalOf(ports, reservation);
}

/** Reserves the file; returns the reason if it is refused. */
async function refusalOf(
  { db, uploadQuotaBytes, now }: UploadPorts,
  { key, workspaceId, bytes, checkout }: Reservation,
): Promise<Refusal | null> {
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
    if ((await sumBytes(trx, workspaceId, key)) + bytes > uploadQuotaBytes) {
      const quota = Math.floor(uploadQuotaBytes / MEBIBYTE);
      const sentence = `The workspace has no room for this file: its uploads may take ${quota} MiB in all.`;
      return { reason: "UPLOAD_QUOTA_REACHED", sentence };
    }
    const granted = now();
    if (checkout !== null) {
      const open = await countOpen(trx, workspaceId, checkout.sessionId, new Date(granted - GRANT_MS));
      if (open >= checkout.mostOpen) {
        const sentence = `This checkout has ${checkout.mostOpen} uploads open. Send their files, or wait five minutes.`;
        return { reason: "TOO_MANY_OPEN_UPLOADS", sentence };
      }
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
    return null;
  });
}

async function sumBytes(trx: Transaction<Tables>, workspaceId: string, except: string) {
  const { bytes } = await trx
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("key", "<>", except)
    .select((select) => select.fn.sum<number | null>("bytes").as("bytes"))
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

async function countOpen(trx: Transaction<Tables>, workspaceId: string, sessionId: string, since: Date) {
  const { open } = await trx
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("checkout_session_id", "=", sessionId)
    .where("arrived_at", "is", null)
    .where("granted_at", ">", since)
    .select((select) => select.fn.countAll<number>().as("open"))
    .executeTakeFirstOrThrow();
  return open;
}
