import type { Transaction } from "kysely";
import type { NotedSubmission } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { keptFavicon, type ShownFavicon } from "#libs/domain/web-url.ts";
import type { CreativeContent, FieldValues } from "../media/image-copies/external-images.ts";
import { enqueue } from "../queue/enqueue.ts";

/** An ad as its advertiser submits it. */
export interface ProposedCreative extends CreativeContent {
  readonly name: string;
  readonly website_url: string;
}

/** The values after a submission: the proposed ones, and the publisher-only ones of the current ad. */
function mergeFieldValues(current: FieldValues, proposed: FieldValues, rules: readonly FieldRules[]) {
  return Object.fromEntries(
    rules.flatMap(({ id, isPublisherOnly }) => {
      const source = isPublisherOnly ? current : proposed;
      return Object.hasOwn(source, id) ? [[id, source[id]]] : [];
    }),
  );
}

/** The content of an approved revision. */
interface ReviewedChange {
  readonly reviewed_at: Date;
  readonly rejection_note: null;
}

/** A further submission of a pending ad. */
interface Resubmission {
  readonly rejection_note: null;
  readonly version: number;
  readonly submitted_at: Date;
  /** As JSON. */
  readonly previous: string | null;
}

/** The submission that a note was about; without a note, the one that the submission itself follows. */
export function noted(
  submission: ProposedCreative & { readonly previous: NotedSubmission | null },
  note: string | null,
): NotedSubmission | null {
  const { name, website_url, meta, images_elsewhere, previous } = submission;
  return note === null ? previous : { note, name, website_url, meta, images_elsewhere };
}

/**
 * Replaces the content of an ad that the transaction has locked, except for its publisher-only values, and queues a search
 * for the icon of its site.
 */
export async function replaceCreative(
  trx: Transaction<Tables>,
  ad: { readonly id: string; readonly workspace_id: string } & CreativeContent & ShownFavicon,
  creative: ProposedCreative,
  rules: readonly FieldRules[],
  change: ReviewedChange | Resubmission,
) {
  await enqueue(trx, "favicon", { workspaceId: ad.workspace_id, adId: ad.id, attempt: 1 });
  return await trx
    .updateTable("ads")
    .set({
      name: creative.name,
      website_url: creative.website_url,
      favicon_url: keptFavicon(ad, creative.website_url),
      meta: JSON.stringify(mergeFieldValues(ad.meta, creative.meta, rules)),
      images_elsewhere: JSON.stringify(
        mergeFieldValues(ad.images_elsewhere, creative.images_elsewhere, rules),
      ),
      ...change,
      updated_at: new Date(),
    })
    .where("workspace_id", "=", ad.workspace_id)
    .where("id", "=", ad.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
