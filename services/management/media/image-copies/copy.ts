import type { Logger } from "pino";
import type { ImageFetcher } from "#libs/guarded-fetch/index.ts";
import { type OwnFile, parseUploadKey } from "#libs/uploads/index.ts";
import { findField } from "../../catalogue/fields/queries.ts";
import type { Payloads } from "../../queue/tasks.ts";
import { bumpIfShown } from "../../snapshots/publish.ts";
import { unlessStopped } from "../unless-stopped.ts";
import { whyRefused } from "../uploads/images.ts";
import { sizeOf } from "../uploads/looks.ts";
import { type Sale, storeOwnFile, type UploadPorts } from "../uploads/records.ts";
import {
  findNextImage,
  findSaleOf,
  lockContent,
  queueNextCopy,
  type WaitingImage,
  writeContent,
} from "./queries.ts";

const MINUTE_MS = 60_000;
/** Minutes until an image that did not arrive is tried again; after that it is given up. */
const RETRY_AFTER_MINUTES: readonly number[] = [1, 10, 60, 360];
const NO_ROOM =
  "There is no room for it: the uploads of the workspace, or the unused ones of the checkout, have reached their limit.";
const NOT_STORED = "It could not be stored.";

export interface CopyPorts extends UploadPorts {
  readonly images: ImageFetcher;
  readonly logger: Logger;
}

type Outcome =
  | { readonly kind: "copied"; readonly publicUrl: string }
  | { readonly kind: "failed"; readonly problem: string; readonly canRetry: boolean };

/**
 * Copies the image of an ad or a workspace that is due first into our uploads and puts the copy's address into the creative; then
 * queues the next. A failed fetch is retried four times; a file that is not an image, or that must not be fetched, is given
 * up at once, until it is submitted again. Not in the audit log, because no person did this.
 */
export async function copyNextImage(
  ports: CopyPorts,
  { workspaceId, adId }: Payloads["copy-images"],
  signal: AbortSignal,
): Promise<void> {
  const { db, now } = ports;
  const scope = { workspaceId, ...(adId !== undefined && { adId }) };
  const next = await findNextImage(db, scope);
  if (next !== undefined && Date.parse(next.image.dueAt ?? "") <= now()) {
    const outcome = await unlessStopped(signal, () => copy(ports, next, signal));
    if (outcome === "stopped") {
      await queueNextCopy(db, scope);
      return;
    }
    await recordOutcome(ports, next, outcome);
  }
  const following = await findNextImage(db, scope);
  if (following === undefined) return;
  const afterMs = Math.max(0, Date.parse(following.image.dueAt ?? "") - now());
  await queueNextCopy(db, scope, { afterMs, keepsRunAt: true });
}

async function copy(ports: CopyPorts, waiting: WaitingImage, signal: AbortSignal): Promise<Outcome> {
  const { workspaceId, image } = waiting;
  const own = await findOwn(ports, waiting);
  if (own !== null) return { kind: "copied", publicUrl: own };
  const finding = await ports.images.fetch(new URL(image.address), signal);
  if (finding.kind === "found") {
    const { contentType, bytes } = finding;
    const field = await findField(ports.db, workspaceId, waiting.fieldId);
    const problem = whyRefused(field?.image ?? null, sizeOf(bytes, contentType));
    if (problem !== null) return { kind: "failed", problem, canRetry: false };
    return await store(ports, { workspaceId, contentType, bytes }, await findSaleOf(ports.db, waiting));
  }
  ports.logger.info({ workspaceId, reason: finding.reason }, "an external image was not copied");
  return { kind: "failed", problem: finding.reason, canRetry: finding.kind === "unreachable" };
}

/** An upload of this workspace under an address that was ours once, before the installation moved. */
async function findOwn({ uploads }: CopyPorts, { workspaceId, image }: WaitingImage): Promise<string | null> {
  const key = new URL(image.address).pathname.split("/").slice(-2).join("/");
  return parseUploadKey(key)?.workspaceId === workspaceId ? await uploads.addressOf(key) : null;
}

async function store(ports: CopyPorts, file: OwnFile, sale: Sale): Promise<Outcome> {
  const { workspaceId } = file;
  try {
    const publicUrl = await storeOwnFile(ports, file, sale);
    if (publicUrl !== null) return { kind: "copied", publicUrl };
    ports.logger.warn(
      { workspaceId },
      "an external image was not copied: the quota of its workspace or checkout is used up",
    );
    return { kind: "failed", problem: NO_ROOM, canRetry: true };
  } catch (error) {
    // A store that is away or full is not the image's fault.
    ports.logger.warn({ err: error, workspaceId }, "a copy of an image could not be stored");
    return { kind: "failed", problem: NOT_STORED, canRetry: true };
  }
}

/** Writes the result, unless another creative was submitted meanwhile, for which copies are queued already. */
async function recordOutcome(ports: CopyPorts, waiting: WaitingImage, outcome: Outcome): Promise<void> {
  const { fieldId, image } = waiting;
  const moment = ports.now();
  await ports.db.transaction().execute(async (trx) => {
    const content = await lockContent(trx, waiting);
    if (content === undefined) return;
    const { [fieldId]: current, ...others } = content.images_elsewhere;
    if (current?.address !== image.address || current.dueAt !== image.dueAt) return;
    if (outcome.kind === "copied") {
      const meta = { [fieldId]: outcome.publicUrl, ...content.meta };
      await writeContent(trx, waiting, { meta, images_elsewhere: others }, new Date(moment));
      if (waiting.kind === "ad") await bumpIfShown(trx, waiting);
      return;
    }
    const minutes = outcome.canRetry ? RETRY_AFTER_MINUTES[image.attempts] : undefined;
    const dueAt = minutes === undefined ? null : new Date(moment + minutes * MINUTE_MS).toISOString();
    const failed = { ...image, attempts: image.attempts + 1, dueAt, problem: outcome.problem };
    const images_elsewhere = { ...others, [fieldId]: failed };
    await writeContent(trx, waiting, { meta: content.meta, images_elsewhere }, new Date(moment));
  });
}
