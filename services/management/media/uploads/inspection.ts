import type { Transaction } from "kysely";
import type { Logger } from "pino";
import { ownerOf } from "#libs/database/owner.ts";
import type { Tables } from "#libs/database/tables.ts";
import { conflict } from "#libs/http/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { listFieldRules } from "../../catalogue/fields/queries.ts";
import { enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import {
  type CreativeContent,
  type FieldValues,
  separateImages,
  whyNotCopied,
} from "../image-copies/external-images.ts";
import { closedAt, type RecordPorts } from "./arrivals.ts";
import { keysOf, NOT_UPLOADED, uploadedImages } from "./images.ts";
import { type Looks, lookAt } from "./looks.ts";
import { holdUploads } from "./records.ts";

const UNUSABLE = "An image cannot be shown; the advertiser has to upload it again.";
const NOT_YET = "An image is not there yet. Approve once it has been copied.";
const CHANGED = "The image was changed a moment ago. Look at it again.";

/** Looks at the uploaded images among the submitted values. Asks the store, so call it before anything is locked. */
export async function inspectImages(
  ports: RecordPorts,
  workspaceId: string,
  submitted: FieldValues | undefined,
): Promise<Looks> {
  if (submitted === undefined) return new Map();
  const rules = await listFieldRules(ports.db, workspaceId);
  return await lookAt(
    ports,
    workspaceId,
    keysOf(uploadedImages(ports.uploads, workspaceId, rules, submitted)),
  );
}

/**
 * Throws 409 at `meta.<key>` for an uploaded image that is missing or broken, and for an external one without a copy. An
 * image whose grant was open when it was looked at could be replaced, so it is checked again once the grant has ended. The ad has to
 * be locked.
 */
export async function requireSoundImages(
  trx: Transaction<Tables>,
  { uploads, now }: { readonly uploads: Pick<Uploads, "locate">; readonly now: () => number },
  workspaceId: string,
  content: CreativeContent,
  looks: Looks,
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
  // After a missing image nobody has looked for the others.
  const isAnyMissing = images.some(({ key }) => key !== null && looks.get(key) === null);
  for (const { fieldKey, key } of images) {
    const look = key === null ? null : looks.get(key);
    if (look === undefined && isAnyMissing) continue;
    const problem = look === undefined ? CHANGED : look === null ? NOT_UPLOADED : look.problem;
    if (problem !== null) fieldErrors[`meta.${fieldKey}`] = [problem];
  }
  if (Object.keys(fieldErrors).length > 0) {
    const isCopyDue = Object.values(waiting).some(({ dueAt }) => dueAt !== null);
    throw isCopyDue
      ? conflict("IMAGE_NOT_COPIED", { formErrors: [NOT_YET], fieldErrors })
      : conflict("IMAGE_UNUSABLE", { formErrors: [UNUSABLE], fieldErrors });
  }

  const open = [...(await holdUploads(trx, workspaceId, keysOf(images)))].flatMap(([key, grantedAt]) => {
    const look = looks.get(key);
    const closes = closedAt(grantedAt);
    return look && look.at < closes ? [{ key, version: look.version, closes }] : [];
  });
  if (open.length === 0) return;
  const runAt = new Date(Math.max(...open.map(({ closes }) => closes)));
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
