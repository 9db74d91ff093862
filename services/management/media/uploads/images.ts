import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { type ImageRules, type ImageSize, imageSizeProblem } from "#libs/domain/image-rules.ts";
import { invalidInput } from "#libs/http/index.ts";
import { parseUploadKey, type Uploads } from "#libs/uploads/index.ts";
import type { FieldValues } from "../image-copies/external-images.ts";
import type { RecordPorts } from "./arrivals.ts";
import { lookAt } from "./looks.ts";
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
  uploads: Pick<Uploads, "locate">,
  workspaceId: string,
  rules: readonly FieldRules[],
  meta: FieldValues,
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

/** Why a field refuses an image, in a sentence; null if it does not. */
export function whyRefused(rules: ImageRules | null, size: ImageSize | null): string | null {
  if (rules === null) return null;
  return size === null ? UNREADABLE : imageSizeProblem(rules, size);
}

/** A submission's image that the store has. */
interface FoundImage {
  readonly fieldKey: string;
  readonly key: string;
  /** False for an upload that is older than our records. */
  readonly isRecorded: boolean;
}

/**
 * The images of a submission, whose values obey the rules. Throws 422 at `meta.<key>` for an address in our store without an upload of
 * this workspace, and for an image that the field's rules refuse. Asks the store, so call it before anything is locked; of images
 * that are missing it looks for the first only.
 */
export async function findSubmittedImages(
  ports: RecordPorts,
  workspaceId: string,
  { rules, meta }: { readonly rules: readonly FieldRules[]; readonly meta: FieldValues },
): Promise<readonly FoundImage[]> {
  const images = uploadedImages(ports.uploads, workspaceId, rules, meta);
  const isLost = images.some(({ key }) => key === null);
  const looks = await lookAt(ports, workspaceId, isLost ? [] : keysOf(images));
  const found: FoundImage[] = [];
  const refused: Refused[] = [];
  for (const { fieldKey, key, rules: asked } of images) {
    const look = key === null ? null : looks.get(key);
    // Nobody has looked for it, as another is missing.
    if (look === undefined) continue;
    const problem = look === null ? NOT_UPLOADED : whyRefused(asked, look.size);
    if (problem !== null) refused.push([fieldKey, problem]);
    else if (key !== null) found.push({ fieldKey, key, isRecorded: look?.isRecorded === true });
  }
  refuse(refused);
  return found;
}

/**
 * Keeps a submission's images from being removed while it is written. Throws 422 at `meta.<key>` for one that was removed since
 * `findSubmittedImages` has found it.
 */
export async function holdSubmittedImages(
  trx: Transaction<Tables>,
  now: number,
  workspaceId: string,
  found: readonly FoundImage[],
): Promise<void> {
  const held = await holdUploads(trx, workspaceId, [...new Set(found.map(({ key }) => key))]);
  const unheld = found.filter(({ key }) => !held.has(key));
  refuse(unheld.filter(({ isRecorded }) => isRecorded).map(({ fieldKey }) => [fieldKey, NOT_UPLOADED]));
  for (const { key } of unheld) await recordUpload(trx, key, now, 0);
}

/** The key of a field, and why its image is refused. */
type Refused = readonly [fieldKey: string, problem: string];

function refuse(refused: readonly Refused[]): void {
  if (refused.length === 0) return;
  const areMissing = refused.some(([, problem]) => problem === NOT_UPLOADED);
  throw invalidInput(areMissing ? "IMAGE_NOT_UPLOADED" : "INVALID_FIELD_VALUE", {
    fieldErrors: Object.fromEntries(refused.map(([fieldKey, problem]) => [`meta.${fieldKey}`, [problem]])),
  });
}
