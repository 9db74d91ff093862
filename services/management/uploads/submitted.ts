import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules, FieldValue } from "#libs/domain/field.ts";
import { checkFieldValues } from "#libs/domain/field-values.ts";
import { invalidInput } from "#libs/http/index.ts";
import { listFieldRules } from "../fields/queries.ts";
import type { Services } from "../services.ts";
import { keysOf, NOT_UPLOADED, uploadedImages } from "./images.ts";
import { holdUploads, recordUpload } from "./records.ts";

/** Which of a submission's images are there. Asked of the store before anything is locked. */
export async function findSubmittedImages(
  { db, uploads }: Services,
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
 * Keeps a submission's images from being removed while it is written. 422 at `meta.<key>` for an address of our store
 * where nothing was uploaded, or only by another workspace. `found` is what `findSubmittedImages` has found.
 */
export async function holdSubmittedImages(
  trx: Transaction<Tables>,
  { uploads, now }: Services,
  workspaceId: string,
  { rules, meta }: { readonly rules: readonly FieldRules[]; readonly meta: Record<string, unknown> },
  found: ReadonlySet<string>,
): Promise<void> {
  const images = uploadedImages(uploads, workspaceId, rules, meta);
  const held = await holdUploads(trx, workspaceId, keysOf(images));
  const there = new Set([...found].filter((key) => held.has(key)));
  for (const key of keysOf(images)) {
    // Not on record: removed since it was found, or older than our records, which then begin here.
    if (held.has(key) || (await uploads.find(key)) === null) continue;
    await recordUpload(trx, key, now(), 0);
    there.add(key);
  }
  const missing = images.filter(({ key }) => key === null || !there.has(key));
  if (missing.length === 0) return;
  throw invalidInput({
    fieldErrors: Object.fromEntries(missing.map(({ fieldKey }) => [`meta.${fieldKey}`, [NOT_UPLOADED]])),
  });
}
