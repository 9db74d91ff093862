import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules, FieldValue } from "#libs/domain/field.ts";
import { checkFieldValues } from "#libs/domain/field-values.ts";
import { invalidInput } from "#libs/http/index.ts";
import { parseUploadKey, type Uploads } from "#libs/uploads/index.ts";
import { listFieldRules } from "../../catalogue/fields/queries.ts";
import type { RecordPorts } from "./arrivals.ts";
import { holdUploads, recordUpload } from "./records.ts";

/** An ad's image with an address in our store of uploads. */
interface UsedImage {
  readonly fieldKey: string;
  /** Null for an address that cannot be one of the workspace's uploads. */
  readonly key: string | null;
}

export const NOT_UPLOADED = "No image has been uploaded to this address.";

/** The images among the values that are uploads. External ones wait for a copy (`image-copies`). */
export function uploadedImages(
  uploads: Uploads,
  workspaceId: string,
  rules: readonly FieldRules[],
  meta: Readonly<Record<string, unknown>>,
): UsedImage[] {
  return rules.flatMap(({ id, key: fieldKey, type }) => {
    const value = meta[id];
    const place = type === "Image" && typeof value === "string" ? uploads.locate(value) : null;
    if (place === null) return [];
    const isOurs = parseUploadKey(place.key ?? "")?.workspaceId === workspaceId;
    return [{ fieldKey, key: isOurs ? place.key : null }];
  });
}

/** The keys of images, each once. */
export function keysOf(images: readonly UsedImage[]): string[] {
  return [...new Set(images.flatMap(({ key }) => (key === null ? [] : [key])))];
}

/** The submission's images that exist. Asks the store, so call it before anything is locked. */
export async function findSubmittedImages(
  db: Kysely<Tables>,
  uploads: Uploads,
  workspaceId: string,
  values: readonly FieldValue[],
): Promise<ReadonlySet<string>> {
  const rules = await listFieldRules(db, workspaceId);
  const checked = checkFieldValues(rules, values, "advertiser");
  if (!checked.ok) return new Set();
  const found = new Set<string>();
  for (const key of keysOf(uploadedImages(uploads, workspaceId, rules, checked.meta))) {
    if ((await uploads.find(key)) !== null) found.add(key);
  }
  return found;
}

/**
 * Keeps a submission's images from being removed while it is written. Throws 422 at `meta.<key>` for an address in our
 * store without an upload of this workspace. `found` comes from `findSubmittedImages`.
 */
export async function holdSubmittedImages(
  trx: Transaction<Tables>,
  { uploads, now }: Pick<RecordPorts, "uploads" | "now">,
  workspaceId: string,
  { rules, meta }: { readonly rules: readonly FieldRules[]; readonly meta: Record<string, unknown> },
  found: ReadonlySet<string>,
): Promise<void> {
  const images = uploadedImages(uploads, workspaceId, rules, meta);
  const held = await holdUploads(trx, workspaceId, keysOf(images));
  const there = new Set([...found].filter((key) => held.has(key)));
  for (const key of keysOf(images)) {
    // Without a record it was removed since it was found, or is older than our records and gets its first.
    if (held.has(key) || (await uploads.find(key)) === null) continue;
    await recordUpload(trx, key, now(), 0);
    there.add(key);
  }
  const missing = images.filter(({ key }) => key === null || !there.has(key));
  if (missing.length === 0) return;
  throw invalidInput("IMAGE_NOT_UPLOADED", {
    fieldErrors: Object.fromEntries(missing.map(({ fieldKey }) => [`meta.${fieldKey}`, [NOT_UPLOADED]])),
  });
}
