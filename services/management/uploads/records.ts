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
import { type CheckoutGrants, reserveUpload, UNUSED_FOR_MS } from "./quota.ts";

/**
 * Grants an upload within the limits and remembers that, so that a file which nothing comes to use is found and removed.
 * 409 beyond the workspace's quota, and for a checkout with too many open grants.
 */
export async function grantUpload(
  services: Services,
  request: UploadRequest,
  checkout: CheckoutGrants | null,
): Promise<UploadGrant> {
  const grant = await services.uploads.grant(request);
  const { workspaceId, contentLength: bytes } = request;
  await reserveUpload(services, { key: grant.key, workspaceId, bytes, checkout });
  return grant;
}

/**
 * Stores a small file of ours, a favicon; whoever asks has a day to write its address down where `unused.ts` looks. It
 * counts for the workspace's quota and is not refused by it. The record comes first and waits for a removal under way:
 * the same file always has the same key.
 */
export async function storeOwnFile({ uploads, db, now }: Services, file: OwnFile) {
  await recordUpload(db, ownFileKey(file, file.bytes.length), now(), file.bytes.length);
  return await uploads.put(file);
}

/** Remembers an upload, or that it is wanted again; it is left alone for a day. `bytes` 0 where nobody has looked yet. */
export async function recordUpload(
  db: Kysely<Tables>,
  key: string,
  now: number,
  bytes: number,
): Promise<void> {
  const times = { granted_at: new Date(now), due_at: new Date(now + UNUSED_FOR_MS) };
  await db
    .insertInto("uploads")
    .values({ key, workspace_id: parseUploadKey(key)?.workspaceId ?? "", bytes, ...times })
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
