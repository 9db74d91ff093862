import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { IMAGE_HEADER_BYTES, imageProblem } from "#libs/domain/image-header.ts";
import { conflict } from "#libs/http/index.ts";
import { GRANT_MS, type Uploads } from "#libs/uploads/index.ts";
import { listFieldRules } from "../../catalogue/fields/queries.ts";
import { enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import { ownerOf } from "../../store/owner.ts";
import {
  type CreativeContent,
  type FieldValues,
  separateImages,
  whyNotCopied,
} from "../image-copies/external-images.ts";
import { keysOf, NOT_UPLOADED, uploadedImages } from "./images.ts";
import { holdUploads } from "./records.ts";

/** The problem of the image under each key, if any, and the version that was inspected. */
type Inspection = ReadonlyMap<string, { readonly problem: string | null; readonly version: string }>;

const UNUSABLE = "An image cannot be shown; the advertiser has to upload it again.";
const NOT_YET = "An image is not there yet. Approve once it has been copied.";
const CHANGED = "The image was changed a moment ago. Look at it again.";
/** The most that the store's clock differs from ours. */
const CLOCKS_DIFFER_MS = 60_000;

/** Inspects the uploaded images among the submitted values. Asks the store, so call it before anything is locked. */
export async function inspectImages(
  db: Kysely<Tables>,
  uploads: Uploads,
  workspaceId: string,
  submitted: FieldValues | undefined,
): Promise<Inspection> {
  const inspected = new Map<string, { problem: string | null; version: string }>();
  if (submitted === undefined) return inspected;
  const images = uploadedImages(uploads, workspaceId, await listFieldRules(db, workspaceId), submitted);
  for (const key of keysOf(images)) inspected.set(key, await inspect(uploads, key));
  return inspected;
}

/** What is wrong with a stored image, if anything, and the version that was looked at. */
export async function inspect(uploads: Uploads, key: string) {
  const file = await uploads.readStart(key, IMAGE_HEADER_BYTES);
  if (file === null) return { problem: NOT_UPLOADED, version: "" };
  const type = IMAGE_TYPES.find((known) => known === file.contentType);
  const problem = type === undefined ? "The file is no image that ads show." : imageProblem(file.start, type);
  return { problem, version: file.version };
}

/**
 * Throws 409 at `meta.<key>` for an uploaded image that is missing or broken, and for an external one without a copy. An
 * image whose grant is still open could be replaced, so it is checked again once the grant has ended. The ad has to be
 * locked.
 */
export async function requireSoundImages(
  trx: Transaction<Tables>,
  { uploads, now }: { readonly uploads: Uploads; readonly now: () => number },
  workspaceId: string,
  content: CreativeContent,
  inspection: Inspection,
): Promise<void> {
  const rules = await listFieldRules(trx, workspaceId);
  const { meta, images_elsewhere: found } = separateImages(uploads, rules, content.meta, now());
  const waiting = { ...found, ...content.images_elsewhere };
  const images = uploadedImages(uploads, workspaceId, rules, meta);
  const fieldErrors: Record<string, string[]> = {};
  for (const { id, key } of rules) {
    const image = waiting[id];
    if (image !== undefined) fieldErrors[`meta.${key}`] = [whyNotCopied(image)];
  }
  for (const { fieldKey, key } of images) {
    const inspected = key === null ? { problem: NOT_UPLOADED } : inspection.get(key);
    const problem = inspected === undefined ? CHANGED : inspected.problem;
    if (problem !== null) fieldErrors[`meta.${fieldKey}`] = [problem];
  }
  if (Object.keys(fieldErrors).length > 0) {
    const isCopyDue = Object.values(waiting).some(({ dueAt }) => dueAt !== null);
    throw isCopyDue
      ? conflict("IMAGE_NOT_COPIED", { formErrors: [NOT_YET], fieldErrors })
      : conflict("IMAGE_UNUSABLE", { formErrors: [UNUSABLE], fieldErrors });
  }

  const open = [...(await holdUploads(trx, workspaceId, keysOf(images)))].flatMap(([key, grantedAt]) => {
    const closedAt = grantedAt + GRANT_MS + CLOCKS_DIFFER_MS;
    return closedAt > now() ? [{ key, version: inspection.get(key)?.version ?? "", closedAt }] : [];
  });
  if (open.length === 0) return;
  const runAt = new Date(Math.max(...open.map(({ closedAt }) => closedAt)));
  await enqueue(
    trx,
    "image",
    { owner: await ownerOf(trx, workspaceId), images: open.map(({ key, version }) => ({ key, version })) },
    { runAt },
  );
}

/** Removes images that were replaced, unreviewed, between their approval and the end of their grants. Some stores allow that. */
export async function removeReplaced(
  { uploads, logger }: { readonly uploads: Uploads; readonly logger: Logger },
  payload: Payloads["image"],
): Promise<void> {
  for (const { key, version } of "images" in payload ? payload.images : [payload]) {
    const file = await uploads.find(key);
    if (file === null || file.version === version) continue;
    await uploads.remove([key]);
    logger.warn({ upload: key }, "removed an image that was replaced after its approval");
  }
}
