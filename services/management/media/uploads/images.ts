import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules, FieldValue } from "#libs/domain/field.ts";
import { checkFieldValues, type FieldAudience } from "#libs/domain/field-values.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { IMAGE_HEADER_BYTES, imageSizeOf } from "#libs/domain/image-header.ts";
import { type ImageRules, type ImageSize, imageSizeProblem } from "#libs/domain/image-rules.ts";
import { invalidInput } from "#libs/http/index.ts";
import { parseUploadKey, type Uploads } from "#libs/uploads/index.ts";
import { listFieldRules } from "../../catalogue/fields/queries.ts";
import type { RecordPorts } from "./arrivals.ts";
import { findMeasured, rememberSize } from "./measured.ts";
import { holdUploads, recordUpload } from "./records.ts";

/** An ad's image with an address in our store of uploads. */
interface UsedImage {
  readonly fieldKey: string;
  /** Null for an address that cannot be one of the workspace's uploads. */
  readonly key: string | null;
  /** What the field asks of it; null for nothing. */
  readonly rules: ImageRules | null;
}

const UNREADABLE = "The image is damaged: its size cannot be read.";
export const NOT_UPLOADED = "No image has been uploaded to this address.";

/** The images among the values that are uploads. External ones wait for a copy (`image-copies`). */
export function uploadedImages(
  uploads: Uploads,
  workspaceId: string,
  rules: readonly FieldRules[],
  meta: Readonly<Record<string, unknown>>,
): UsedImage[] {
  return rules.flatMap(({ id, key: fieldKey, type, image }) => {
    const value = meta[id];
    const place = type === "Image" && typeof value === "string" ? uploads.locate(value) : null;
    if (place === null) return [];
    const isOurs = parseUploadKey(place.key ?? "")?.workspaceId === workspaceId;
    return [{ fieldKey, key: isOurs ? place.key : null, rules: image }];
  });
}

/** The keys of images, each once. */
export function keysOf(images: readonly UsedImage[]): string[] {
  return [...new Set(images.flatMap(({ key }) => (key === null ? [] : [key])))];
}

/** The images of a submission that exist, with their sizes: null for one of a field that asks for none, or a damaged one. */
export type FoundImages = ReadonlyMap<string, ImageSize | null>;

/**
 * The images among the given values that exist. Asks the store, so call it before anything is locked. Measures a file once: a
 * submission that is refused may come again, with hundreds of images.
 */
export async function findSubmittedImages(
  db: Kysely<Tables>,
  uploads: Uploads,
  workspaceId: string,
  values: readonly FieldValue[],
  audience: FieldAudience,
): Promise<FoundImages> {
  const rules = await listFieldRules(db, workspaceId);
  const checked = checkFieldValues(rules, values, audience);
  if (!checked.ok) return new Map();
  const found = new Map<string, ImageSize | null>();
  const images = uploadedImages(uploads, workspaceId, rules, checked.meta);
  const measured = new Set(keysOf(images.filter((image) => image.rules !== null)));
  const remembered = await findMeasured(db, workspaceId, [...measured]);
  for (const key of keysOf(images)) {
    const file = await uploads.find(key);
    if (file === null) continue;
    const known = remembered.get(key);
    if (!measured.has(key)) found.set(key, null);
    else if (known?.version === file.version) found.set(key, known.size);
    else await measure(key);
  }
  return found;

  async function measure(key: string): Promise<void> {
    const file = await uploads.readStart(key, IMAGE_HEADER_BYTES);
    if (file === null) return;
    const size = sizeOf(file.start, file.contentType);
    await rememberSize(db, workspaceId, key, { version: file.version, size });
    found.set(key, size);
  }
}

/** The size of an image from the start of its file; null if it cannot be read. */
export function sizeOf(start: Buffer, contentType: string): ImageSize | null {
  const type = IMAGE_TYPES.find((known) => known === contentType);
  return type === undefined ? null : imageSizeOf(start, type);
}

/** Why a field refuses an image, in a sentence; null if it does not. */
export function whyRefused(rules: ImageRules | null, size: ImageSize | null): string | null {
  if (rules === null) return null;
  return size === null ? UNREADABLE : imageSizeProblem(rules, size);
}

/**
 * Keeps a submission's images from being removed while it is written. Throws 422 at `meta.<key>` for an address in our
 * store without an upload of this workspace, and for an image that the field's rules refuse. `found` comes from `findSubmittedImages`.
 */
export async function holdSubmittedImages(
  trx: Transaction<Tables>,
  { uploads, now }: Pick<RecordPorts, "uploads" | "now">,
  workspaceId: string,
  { rules, meta }: { readonly rules: readonly FieldRules[]; readonly meta: Record<string, unknown> },
  found: FoundImages,
): Promise<void> {
  const images = uploadedImages(uploads, workspaceId, rules, meta);
  const held = await holdUploads(trx, workspaceId, keysOf(images));
  const there = new Set([...found.keys()].filter((key) => held.has(key)));
  for (const key of keysOf(images)) {
    // Without a record it was removed since it was found, or is older than our records and gets its first.
    if (held.has(key) || (await uploads.find(key)) === null) continue;
    await recordUpload(trx, key, now(), 0);
    there.add(key);
  }
  const refused = images.flatMap(({ fieldKey, key, rules: asked }) => {
    const problem =
      key === null || !there.has(key) ? NOT_UPLOADED : whyRefused(asked, found.get(key) ?? null);
    return problem === null ? [] : [[`meta.${fieldKey}`, [problem]] as const];
  });
  if (refused.length === 0) return;
  const areMissing = refused.some(([, [problem]]) => problem === NOT_UPLOADED);
  throw invalidInput(areMissing ? "IMAGE_NOT_UPLOADED" : "INVALID_FIELD_VALUE", {
    fieldErrors: Object.fromEntries(refused),
  });
}
