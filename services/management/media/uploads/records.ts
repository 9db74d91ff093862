import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Refusal } from "#libs/domain/error-reasons.ts";
import { LEAST_COUNTED, type Uploader, uploadRefusal } from "#libs/domain/upload-room.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import {
  type OwnFile,
  ownFileKey,
  parseUploadKey,
  type UploadGrant,
  type UploadRequest,
} from "#libs/uploads/index.ts";
import { inLineOf } from "../../store/row-lines.ts";
import { type RecordPorts, refreshRecords } from "./arrivals.ts";
import { removeLater, UNUSED_BY_CHECKOUT_FOR_MS, UNUSED_FOR_MS, UPLOAD_KEYS } from "./usage.ts";

/**
 * Grants an upload within the limits and records it, so that an unused file is found and removed. Throws 409 beyond the
 * workspace's quota and for a checkout with too many unused files.
 */
export async function grantUpload(
  ports: UploadPorts,
  request: UploadRequest,
  by: "publisher" | Sale,
): Promise<UploadGrant> {
  const grant = await ports.uploads.grant(request);
  const { workspaceId, contentLength: bytes } = request;
  const refusal = await reserveUpload(ports, { key: grant.key, workspaceId, bytes, by });
  if (refusal !== null) throw conflict(refusal.reason, { formErrors: [refusal.sentence] });
  return grant;
}

/**
 * Stores an image that we have fetched, a copy or an icon; the caller has some hours to write its address where `removal.ts` finds
 * it. Returns the public address, or null if the workspace has no room for what advertisers, or those who pay nothing, make it keep.
 * Throws as `Uploads.put`, and 404 for an unknown workspace.
 */
export async function storeOwnFile(ports: UploadPorts, file: OwnFile, by: Sale): Promise<string | null> {
  const { workspaceId, bytes } = file;
  const key = ownFileKey(file, ports.uploads.maxBytes);
  const refusal = await reserveUpload(ports, { key, workspaceId, bytes: bytes.length, by });
  if (refusal !== null) return null;
  // What is there already, and is now kept, is not written once more.
  return (await ports.uploads.addressOf(key)) ?? (await ports.uploads.put(file)).publicUrl;
}

/** Unused files that a checkout may have beside two per image field, for second thoughts and lost connections. */
const SPARE_FILES = 20;

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

/** The sale of the ad that a file is for. */
export interface Sale {
  /** Whether nothing was paid for it yet. */
  readonly isFree: boolean;
  /** Null where there is none: for the icons of sites, and for ads that nobody bought. */
  readonly sessionId: string | null;
}

/** A file that is going to be stored. */
interface Reservation {
  readonly key: string;
  readonly workspaceId: string;
  readonly bytes: number;
  readonly by: "publisher" | Sale;
}

export interface UploadPorts extends RecordPorts {
  /** The limit for the uploads of one workspace, open grants included. */
  readonly uploadQuotaBytes: number;
}

/**
 * Records a file before it is stored. Returns the reason if it is beyond the workspace's quota or the checkout's unused files.
 * Throws 404 for an unknown workspace, and 503 if too many reservations of the workspace wait. Of two that race for the last room one
 * is refused. Before a refusal the store is asked which expired grants were used.
 */
async function reserveUpload(ports: UploadPorts, reservation: Reservation): Promise<Refusal | null> {
  const { workspaceId } = reservation;
  const inTurn = () => inLineOf(workspaceId, () => refusalOf(ports, reservation));
  const refusal = await inTurn();
  return refusal !== null && (await refreshRecords(ports, workspaceId)) ? await inTurn() : refusal;
}

/** Reserves the file; returns the reason if it is refused. */
async function refusalOf(
  { db, uploadQuotaBytes: quota, now }: UploadPorts,
  { key, workspaceId, bytes, by }: Reservation,
): Promise<Refusal | null> {
  return await db.transaction().execute(async (trx) => {
    // First, as a submission that holds the same file takes the workspace's lock after it.
    const known = await trx
      .selectFrom("uploads")
      .where("workspace_id", "=", workspaceId)
      .where("key", "=", key)
      .select("key")
      .forNoKeyUpdate()
      .executeTakeFirst();
    // Reservations of a workspace go one after the other in all processes, so that none overlooks another.
    const workspace = await trx
      .selectFrom("workspaces")
      .where("id", "=", workspaceId)
      .select("id")
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (workspace === undefined) throw notFound("Workspace");
    const { isFree, sessionId } = by === "publisher" ? { isFree: false, sessionId: null } : by;
    // A file that is there already takes no more room, and what shows it keeps it.
    if (known === undefined) {
      const { stored, storedFree } = await sumStored(trx, workspaceId);
      const uploader: Uploader =
        by === "publisher"
          ? by
          : {
              storedFree: isFree ? storedFree : null,
              checkout: sessionId === null ? null : await countUnused(trx, workspaceId, sessionId),
            };
      const refusal = uploadRefusal(uploader, bytes, { stored, quota });
      if (refusal !== null) return refusal;
    }

    const granted = now();
    const due = granted + (sessionId === null ? UNUSED_FOR_MS : UNUSED_BY_CHECKOUT_FOR_MS);
    const times = { granted_at: new Date(granted), due_at: new Date(due) };
    await trx
      .insertInto("uploads")
      .values({
        key,
        workspace_id: workspaceId,
        bytes,
        is_free: isFree,
        checkout_session_id: sessionId,
        ...times,
      })
      .onConflict((known) => known.column("key").doUpdateSet({ ...times, bytes }))
      .execute();
    if (sessionId !== null) await removeLater(trx, due);
    return null;
  });
}

/** What the workspace's files count, and those for free ads of them. The index `uploads_room` has all that it reads. */
async function sumStored(trx: Transaction<Tables>, workspaceId: string) {
  const counted = sql<number>`greatest(bytes, ${sql.lit(LEAST_COUNTED)})`;
  const { stored, storedFree } = await trx
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .select(({ fn }) => [
      fn.sum<number | null>(counted).as("stored"),
      fn.sum<number | null>(counted).filterWhere("is_free", "=", true).as("storedFree"),
    ])
    .executeTakeFirstOrThrow();
  return { stored: stored ?? 0, storedFree: storedFree ?? 0 };
}

/**
 * The files of a checkout that its ad does not use as images, and the most of them. The ad's open revision uses files as well, and what
 * either was before the publisher's note.
 */
async function countUnused(trx: Transaction<Tables>, workspaceId: string, sessionId: string) {
  const fields = await trx
    .selectFrom("fields")
    .where("workspace_id", "=", workspaceId)
    .select(["id", "type", "is_publisher_only"])
    .execute();
  const creatives = await trx
    .selectFrom("checkout_sessions")
    .innerJoin("ads", "ads.subscription_id", "checkout_sessions.subscription_id")
    .leftJoin("revisions", "revisions.ad_id", "ads.id")
    .where("checkout_sessions.id", "=", sessionId)
    .where("ads.workspace_id", "=", workspaceId)
    .select(["ads.meta", "ads.previous", "revisions.meta as proposed", "revisions.previous as earlier"])
    .execute();
  const others = new Set(fields.filter(({ type }) => type !== "Image").map(({ id }) => id));
  const used = creatives
    .flatMap(({ meta, previous, proposed, earlier }) => [meta, previous?.meta, proposed, earlier?.meta])
    .flatMap((values) => imagesAmong(values ?? {}, others));
  const unused = await trx
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("checkout_session_id", "=", sessionId)
    .where("key", "<>", sql<string>`all(${used}::text[])`)
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      fn.coalesce(fn.sum<number>("bytes"), sql<number>`0`).as("bytes"),
    ])
    .executeTakeFirstOrThrow();
  const asked = fields.filter(({ type, is_publisher_only }) => type === "Image" && !is_publisher_only);
  return { unused, mostUnused: 2 * asked.length + SPARE_FILES };
}

/** The files that are images among values, those of deleted fields included. One of a value: a text can name any number. */
function imagesAmong(values: Readonly<Record<string, unknown>>, others: ReadonlySet<string>): string[] {
  return Object.entries(values).flatMap(([fieldId, value]) =>
    others.has(fieldId) ? [] : (String(value).match(UPLOAD_KEYS)?.slice(0, 1) ?? []),
  );
}
