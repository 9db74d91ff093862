import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { listFieldRules } from "../../catalogue/fields/queries.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { bumpIfShown } from "../../snapshots/publish.ts";
import type { RemovalPorts } from "../uploads/removal.ts";
import { separateImages } from "./external-images.ts";
import {
  type CreativePlace,
  listWaitingWorkspaces,
  lockContent,
  queueCopies,
  queueNextCopy,
  writeContent,
} from "./queries.ts";

/** Creatives per read. */
const BATCH = 500;

interface Illustrated extends CreativePlace {
  readonly addresses: readonly string[];
}

/** Queues `adoptImages`, once even if several processes start. */
export async function queueAdoption(db: Kysely<Tables>): Promise<void> {
  await enqueue(db, "adopt-images", {});
}

/**
 * Takes external images out of the values of all ads and revisions, to be copied: those from before images were copied, and
 * those of an installation that has moved to another address. Visitors see such an ad without the image until its copy is
 * there. Also queues the copies of images that wait already, in case their job was lost.
 */
export async function adoptImages(ports: RemovalPorts): Promise<void> {
  for (const kind of ["ad", "revision"] as const) {
    let last = "";
    for (;;) {
      const creatives = await listIllustrated(ports.db, kind, last);
      for (const creative of creatives) {
        const isExternal = creative.addresses.some((address) => ports.uploads.locate(address) === null);
        if (isExternal) await adoptCreative(ports, creative);
      }
      if (creatives.length < BATCH) break;
      last = creatives.at(-1)?.adId ?? "";
    }
  }
  for (const workspaceId of await listWaitingWorkspaces(ports.db)) {
    await queueNextCopy(ports.db, { workspaceId }, { keepsRunAt: true });
  }
}

async function adoptCreative(ports: RemovalPorts, place: CreativePlace): Promise<void> {
  const { db, uploads, now, logger } = ports;
  await db.transaction().execute(async (trx) => {
    const content = await lockContent(trx, place);
    if (content === undefined) return;
    const rules = await listFieldRules(trx, place.workspaceId);
    const { meta, images_elsewhere: found } = separateImages(uploads, rules, content.meta, now());
    if (Object.keys(found).length === 0) return;
    const adopted = { meta, images_elsewhere: { ...content.images_elsewhere, ...found } };
    await writeContent(trx, place, adopted, new Date(now()));
    if (place.kind === "ad") await bumpIfShown(trx, place);
    await queueCopies(trx, place, adopted);
    logger.info({ adId: place.adId }, "an external image is copied before it is shown");
  });
}

/** The next creatives by the id of their ad, each with the images among its values. */
async function listIllustrated(db: Kysely<Tables>, kind: CreativePlace["kind"], after: string) {
  const [table, adId] =
    kind === "ad" ? [sql.table("ads"), sql.ref("id")] : [sql.table("revisions"), sql.ref("ad_id")];
  // The page is cut first, and each creative's values are read once: there may be any number without an image, of 200 fields each.
  const { rows } = await sql<Omit<Illustrated, "kind">>`
    select creative.ad_id as "adId", creative.workspace_id as "workspaceId", array(
      select given.value #>> '{}' from jsonb_each(creative.meta) as given join fields on fields.id = given.key
      where fields.workspace_id = creative.workspace_id and fields.type = 'Image'
    ) as addresses
    from (
      select ${adId} as ad_id, workspace_id, meta from ${table} where ${adId} > ${after} order by 1 limit ${BATCH}
    ) as creative order by 1`.execute(db);
  return rows.map((row) => ({ ...row, kind }));
}
