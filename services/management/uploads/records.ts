import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import {
  type OwnFile,
  ownFileKey,
  parseUploadKey,
  type UploadGrant,
  type UploadRequest,
} from "#libs/uploads/index.ts";
import type { Services } from "../services.ts";

/** An upload that nothing uses after so long is removed. */
export const UNUSED_FOR_MS = 24 * 60 * 60_000;

/** Grants an upload and remembers that, so that a file which nothing comes to use is found and removed. */
export async function grantUpload({ uploads, db }: Services, request: UploadRequest): Promise<UploadGrant> {
  const grant = await uploads.grant(request);
  await recordUpload(db, grant.key, request.now);
  return grant;
}

/**
 * Stores a file of ours, such as a favicon; whoever asks has a day to write its address down where `orphans.ts` looks.
 * The record comes first and waits for a removal under way: the same file always has the same key.
 */
export async function storeOwnFile({ uploads, db, now }: Services, file: OwnFile) {
  await recordUpload(db, ownFileKey(file, file.bytes.length), now());
  return await uploads.put(file);
}

/** Remembers an upload, or that it is wanted anew; it is left alone for a day. */
export async function recordUpload(db: Kysely<Tables>, key: string, now: number): Promise<void> {
  const times = { granted_at: new Date(now), due_at: new Date(now + UNUSED_FOR_MS) };
  await db
    .insertInto("uploads")
    .values({ key, workspace_id: parseUploadKey(key)?.workspaceId ?? "", ...times })
    .onConflict((conflict) => conflict.column("key").doUpdateSet(times))
    .execute();
}

/**
 * Keeps uploads from being removed until the transaction ends; waits for a removal under way. Returns those that are on
 * record, with the moment of their grant in milliseconds since the epoch.
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
