import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { keptFavicon, type ShownFavicon } from "../favicons/owner.ts";
import { queueFavicon } from "../favicons/queue.ts";
import type { CreativeContent } from "../image-copies/elsewhere.ts";

type Meta = Readonly<Record<string, unknown>>;

/** What an advertiser submits, with its values by field id. */
export interface ProposedCreative extends CreativeContent {
  readonly name: string;
  readonly website_url: string;
}

/** The values after a creative is replaced: the proposed ones, and those that the publisher has filled in. */
export function mergeMeta(current: Meta, proposed: Meta, rules: readonly FieldRules[]): Meta {
  return Object.fromEntries(
    rules.flatMap(({ id, isPublisherOnly }) => {
      const source = isPublisherOnly ? current : proposed;
      return Object.hasOwn(source, id) ? [[id, source[id]]] : [];
    }),
  );
}

/**
 * Puts another creative into an ad that the transaction has locked; its publisher-only values stay. The icon of its site
 * is looked for anew.
 */
export async function replaceCreative(
  trx: Transaction<Tables>,
  ad: { readonly id: string; readonly workspace_id: string } & CreativeContent & ShownFavicon,
  creative: ProposedCreative,
  rules: readonly FieldRules[],
  review: { readonly reviewed_at?: Date; readonly rejection_note: null },
) {
  await queueFavicon(trx, { workspaceId: ad.workspace_id, adId: ad.id });
  return await trx
    .updateTable("ads")
    .set({
      name: creative.name,
      website_url: creative.website_url,
      favicon_url: keptFavicon(ad, creative.website_url),
      meta: JSON.stringify(mergeMeta(ad.meta, creative.meta, rules)),
      images_elsewhere: JSON.stringify(mergeMeta(ad.images_elsewhere, creative.images_elsewhere, rules)),
      ...review,
      updated_at: new Date(),
    })
    .where("workspace_id", "=", ad.workspace_id)
    .where("id", "=", ad.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
