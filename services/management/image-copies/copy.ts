import { z } from "zod";
import { HttpError } from "#libs/http/envelope.ts";
import { type OwnFile, ownFileKey, parseUploadKey } from "#libs/uploads/index.ts";
import type { Services } from "../services.ts";
import { reserveUpload } from "../uploads/quota.ts";
import { findNextImage, lockContent, type WaitingImage, writeContent } from "./queries.ts";
import { queueCopying } from "./queue.ts";

const copyJob = z.object({ workspaceId: z.string() });

const MINUTE_MS = 60_000;
/** Minutes until an image that did not arrive is tried again; after the last one it is given up. */
const RETRY_AFTER_MINUTES: readonly number[] = [1, 10, 60, 360];
const NO_ROOM = "The workspace has no room for it: its uploads take all that they may.";
const NOT_STORED = "It could not be stored.";

type Outcome =
  | { readonly kind: "copied"; readonly publicUrl: string }
  | { readonly kind: "failed"; readonly problem: string; readonly canRetry: boolean };

/**
 * Copies the workspace's image that is due first into our uploads and puts the copy's address into the creative; then
 * queues the next. What did not arrive is tried again four times; what is no image, or may not be fetched, is given up at
 * once, until it is submitted again. Nobody has done this, so the audit log does not hear of it.
 */
export async function copyNextImage(
  services: Services,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId } = copyJob.parse(payload);
  const { db, now } = services;
  const next = await findNextImage(db, workspaceId);
  if (next !== undefined && isDue(next, now())) {
    const outcome = await copyUnlessStopped(services, next, signal);
    if (outcome === "stopped") {
      await queueCopying(db, workspaceId, 0, "replace");
      return;
    }
    await recordOutcome(services, next, outcome);
  }
  const following = await findNextImage(db, workspaceId);
  if (following === undefined) return;
  const afterMs = Date.parse(following.image.dueAt ?? "") - now();
  await queueCopying(db, workspaceId, afterMs, "preserve_run_at");
}

function isDue({ image }: WaitingImage, now: number): boolean {
  return image.dueAt !== null && Date.parse(image.dueAt) <= now;
}

async function copyUnlessStopped(
  services: Services,
  waiting: WaitingImage,
  signal: AbortSignal,
): Promise<Outcome | "stopped"> {
  // The worker may still take one up while it stops.
  if (signal.aborted) return "stopped";
  try {
    return await copy(services, waiting, signal);
  } catch (error) {
    if (signal.aborted) return "stopped";
    throw error;
  }
}

async function copy(services: Services, waiting: WaitingImage, signal: AbortSignal): Promise<Outcome> {
  const { workspaceId, image } = waiting;
  const own = await findOwn(services, waiting);
  if (own !== null) return { kind: "copied", publicUrl: own };
  const finding = await services.images.fetch(new URL(image.address), signal);
  if (finding.kind === "found") {
    const { contentType, bytes } = finding;
    return await store(services, { workspaceId, contentType, bytes });
  }
  services.logger.info({ workspaceId, reason: finding.reason }, "an image elsewhere was not copied");
  return { kind: "failed", problem: finding.reason, canRetry: finding.kind === "unreachable" };
}

/** An upload of this workspace under an address that was ours once, before the installation moved. */
async function findOwn({ uploads }: Services, { workspaceId, image }: WaitingImage): Promise<string | null> {
  const key = new URL(image.address).pathname.split("/").slice(-2).join("/");
  return parseUploadKey(key)?.workspaceId === workspaceId ? await uploads.addressOf(key) : null;
}

async function store(services: Services, file: OwnFile): Promise<Outcome> {
  const { workspaceId, bytes } = file;
  try {
    const key = ownFileKey(file, services.uploads.maxBytes);
    await reserveUpload(services, { key, workspaceId, bytes: bytes.length, checkout: null });
    return { kind: "copied", publicUrl: (await services.uploads.put(file)).publicUrl };
  } catch (error) {
    const isFull = error instanceof HttpError && error.status === 409;
    // A store that is away or full is not the image's fault.
    services.logger.warn({ err: error, workspaceId }, "a copy of an image could not be stored");
    return { kind: "failed", problem: isFull ? NO_ROOM : NOT_STORED, canRetry: true };
  }
}

/** Writes the result, unless another creative was submitted meanwhile, for which copies are queued already. */
async function recordOutcome(services: Services, waiting: WaitingImage, outcome: Outcome): Promise<void> {
  const { fieldId, image } = waiting;
  const moment = services.now();
  await services.db.transaction().execute(async (trx) => {
    const content = await lockContent(trx, waiting);
    if (content === undefined) return;
    const { [fieldId]: current, ...others } = content.images_elsewhere;
    if (current?.address !== image.address || current.dueAt !== image.dueAt) return;
    if (outcome.kind === "copied") {
      const meta = { [fieldId]: outcome.publicUrl, ...content.meta };
      await writeContent(trx, waiting, { meta, images_elsewhere: others }, new Date(moment));
      return;
    }
    const minutes = outcome.canRetry ? RETRY_AFTER_MINUTES[image.attempts] : undefined;
    const dueAt = minutes === undefined ? null : new Date(moment + minutes * MINUTE_MS).toISOString();
    const failed = { ...image, attempts: image.attempts + 1, dueAt, problem: outcome.problem };
    const images_elsewhere = { ...others, [fieldId]: failed };
    await writeContent(trx, waiting, { meta: content.meta, images_elsewhere }, new Date(moment));
  });
}
