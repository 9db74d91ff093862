import { sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { enqueue } from "../../queue/enqueue.ts";
import type { FieldValues } from "../image-copies/external-images.ts";
import type { RecordPorts } from "./arrivals.ts";
import { keysOf, uploadedImages } from "./images.ts";
import { findUsed, removeLater, UNUSED_FOR_MS } from "./usage.ts";

/** Uploads per transaction, which holds them while their files are removed. */
const BATCH = 50;
/** Per job; another job removes the rest. */
const MOST_BATCHES = 200;

export interface RemovalPorts extends RecordPorts {
  readonly logger: Logger;
}

/**
 * Removes uploads that have not been used for a day: no ad, revision, field or workspace names them as an image, a logo or a
 * favicon, or in a text. A submission that is about to use one holds it (`records.ts`). After an interruption a record may
 * outlive its file; the next run removes it. Queues another job where more is due: grants cost nothing, so nobody's files may wait for
 * another day behind those of somebody who asks for many.
 */
export async function removeUnusedUploads(ports: RemovalPorts): Promise<void> {
  let removed = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const done = await ports.db.transaction().execute((trx) => removeBatch(trx, ports, null));
    removed += done.removed;
    if (done.checked < BATCH) break;
    if (batch === MOST_BATCHES - 1) await enqueue(ports.db, "unused-uploads", {});
  }
  if (removed > 0) ports.logger.info({ uploads: removed }, "removed unused uploads");
}

/** Removes up to a batch of unused uploads that are due, among `only` if that is given. */
async function removeBatch(
  trx: Transaction<Tables>,
  { uploads, now }: RecordPorts,
  only: readonly string[] | null,
) {
  const moment = now();
  const due = await trx
    .selectFrom("uploads")
    .where("due_at", "<=", new Date(moment))
    .$if(only !== null, (query) => query.where("key", "=", sql<string>`any(${[...(only ?? [])]}::text[])`))
    .select(["key", "workspace_id"])
    .orderBy("due_at")
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute();
  if (due.length === 0) return { checked: 0, removed: 0 };

  const used = await findUsed(trx, due);
  const keys = due.map(({ key }) => key);
  const unused = keys.filter((key) => !used.has(key));
  await uploads.remove(unused);
  if (unused.length > 0) await trx.deleteFrom("uploads").where("key", "in", unused).execute();
  const kept = keys.filter((key) => used.has(key));
  if (kept.length > 0) {
    const postponed = { due_at: new Date(moment + UNUSED_FOR_MS) };
    await trx.updateTable("uploads").set(postponed).where("key", "in", kept).execute();
  }
  return { checked: due.length, removed: unused.length };
}

/**
 * Removes all uploads of a workspace that is being deleted, whatever names them: its own row, which has its logo and its icon, is the
 * last to go.
 */
export async function removeAllUploads({ db, uploads }: RecordPorts, workspaceId: string): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom("uploads")
      .where("workspace_id", "=", workspaceId)
      .select("key")
      .limit(BATCH)
      .execute();
    if (rows.length === 0) return;
    const keys = rows.map(({ key }) => key);
    await uploads.remove(keys);
    await db.deleteFrom("uploads").where("key", "in", keys).execute();
  }
}

/** Removes those of a workspace's uploads that are no longer used, before all else that is due. The daily sweep retries failures. */
export async function releaseUploads(
  ports: RemovalPorts,
  workspaceId: string,
  keys: readonly string[],
): Promise<void> {
  const { db, logger, now } = ports;
  if (keys.length === 0) return;
  await db
    .updateTable("uploads")
    .set({ due_at: new Date(now()) })
    .where("workspace_id", "=", workspaceId)
    .where("key", "=", sql<string>`any(${[...keys]}::text[])`)
    .execute();
  try {
    for (let from = 0; from < keys.length; from += BATCH) {
      const some = keys.slice(from, from + BATCH);
      await db.transaction().execute((trx) => removeBatch(trx, ports, some));
    }
  } catch (error) {
    logger.warn({ err: error, workspaceId }, "uploads could not be removed yet");
  }
}

/** How long the files of a replaced draft are kept. */
const REPLACED_FOR_MS = 60 * 60_000;
/** Schedules the removal of a draft's uploads that its replacement no longer names, unless something else does. */
export async function releaseReplaced(
  trx: Transaction<Tables>,
  { uploads, now }: { readonly uploads: Pick<Uploads, "locate">; readonly now: () => number },
  workspaceId: string,
  rules: readonly FieldRules[],
  { before, after }: { readonly before: FieldValues; readonly after: FieldValues },
): Promise<void> {
  const kept = keysOf(uploadedImages(uploads, workspaceId, rules, after));
  const replaced = keysOf(uploadedImages(uploads, workspaceId, rules, before)).filter(
    (key) => !kept.includes(key),
  );
  if (replaced.length === 0) return;

  const due = now() + REPLACED_FOR_MS;
  const rows = await trx
    .selectFrom("uploads")
    .where("workspace_id", "=", workspaceId)
    .where("key", "in", replaced)
    .where("due_at", ">", new Date(due))
    .select("key")
    .orderBy("key")
    .forNoKeyUpdate()
    .execute();
  if (rows.length === 0) return;
  const locked = rows.map(({ key }) => key);
  await trx
    .updateTable("uploads")
    .set({ due_at: new Date(due) })
    .where("workspace_id", "=", workspaceId)
    .where("key", "in", locked)
    .execute();
  await removeLater(trx, due);
}
