import { type Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { IMAGE_HEADER_BYTES, imageProblem } from "#libs/domain/image-header.ts";
import { conflict } from "#libs/http/index.ts";
import { GRANT_MS, type Uploads } from "#libs/uploads/index.ts";
import { listFieldRules } from "../fields/queries.ts";
import { type CreativeContent, separateImages, whyNotCopied } from "../image-copies/elsewhere.ts";
import type { Services } from "../services.ts";
import { keysOf, NOT_UPLOADED, uploadedImages } from "./images.ts";
import { holdUploads } from "./records.ts";

type Meta = Readonly<Record<string, unknown>>;

/** What was found under each key: what is wrong with the image, if anything, and which bytes that was said of. */
export type Inspection = ReadonlyMap<string, { readonly problem: string | null; readonly version: string }>;

const UNUSABLE = "An image cannot be shown; the advertiser has to upload it again.";
const NOT_YET = "An image is not there yet. Approve once it has been copied.";
const CHANGED = "The image was changed a moment ago. Look at it again.";
/** Clocks of stores and ours differ by no more. */
const CLOCKS_DIFFER_MS = 60_000;

const imageJob = z.object({ key: z.string(), version: z.string() });

/** Looks at a creative's uploaded images. The store is asked before anything is locked; without `meta` nothing is. */
export async function inspectImages(
  { db, uploads }: Services,
  workspaceId: string,
  meta: Meta | undefined,
): Promise<Inspection> {
  const inspected = new Map<string, { problem: string | null; version: string }>();
  if (meta === undefined) return inspected;
  const images = uploadedImages(uploads, workspaceId, await listFieldRules(db, workspaceId), meta);
  for (const key of keysOf(images)) inspected.set(key, await inspect(uploads, key));
  return inspected;
}

async function inspect(uploads: Uploads, key: string) {
  const file = await uploads.readStart(key, IMAGE_HEADER_BYTES);
  if (file === null) return { problem: NOT_UPLOADED, version: "" };
  const type = IMAGE_TYPES.find((known) => known === file.contentType);
  const problem = type === undefined ? "The file is no image that ads show." : imageProblem(file.start, type);
  return { problem, version: file.version };
}

/**
 * Refuses to put a creative on air with an uploaded image that is missing or no sound image, and with one that lies
 * elsewhere and has no copy: 409 at `meta.<key>`. What
 * can still be exchanged, as its grant is open, is looked at again afterwards. The ad has to be locked.
 */
export async function requireSoundImages(
  trx: Transaction<Tables>,
  { uploads, now }: Services,
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
    const isPatienceEnough = Object.values(waiting).some(({ dueAt }) => dueAt !== null);
    throw conflict({ formErrors: [isPatienceEnough ? NOT_YET : UNUSABLE], fieldErrors });
  }

  for (const [key, grantedAt] of await holdUploads(trx, workspaceId, keysOf(images))) {
    const closedAt = grantedAt + GRANT_MS + CLOCKS_DIFFER_MS;
    const version = inspection.get(key)?.version ?? "";
    if (closedAt > now()) await queueSecondLook(trx, { key, version }, new Date(closedAt));
  }
}

async function queueSecondLook(db: Kysely<Tables>, payload: z.infer<typeof imageJob>, at: Date) {
  await sql`select graphile_worker.add_job(
    'image', ${JSON.stringify(payload)}::json, job_key => ${`image:${payload.key}`}, run_at => ${at}
  )`.execute(db);
}

/**
 * Removes an image that was exchanged between its approval and the end of its grant, which some stores allow: what
 * nobody has seen is not shown.
 */
export async function lookAgain(
  { uploads, logger }: Pick<Services, "uploads" | "logger">,
  payload: unknown,
): Promise<void> {
  const { key, version } = imageJob.parse(payload);
  const file = await uploads.readStart(key, 1);
  if (file === null || file.version === version) return;
  await uploads.remove([key]);
  logger.warn({ upload: key }, "an image was exchanged after its approval, and removed");
}
