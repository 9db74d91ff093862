import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { listFieldRules } from "../fields/queries.ts";
import type { Services } from "../services.ts";
import { separateImages } from "./elsewhere.ts";
import { type CreativePlace, listWaitingWorkspaces, lockContent, writeContent } from "./queries.ts";
import { queueCopies, queueCopying } from "./queue.ts";

const TASK = "adopt-images";

/** A process of an earlier release may have written some while it still ran beside this one. */
export const ADOPTION_SCHEDULE = `41 3 * * * ${TASK} ?max=3`;

/** Creatives that are read at a time. */
const BATCH = 500;

interface Illustrated extends CreativePlace {
  readonly addresses: readonly string[];
}

/** Queues `adoptImages`, once however many processes start. */
export async function queueAdoption(db: Kysely<Tables>): Promise<void> {
  await sql`select graphile_worker.add_job(${sql.lit(TASK)}, job_key => ${sql.lit(TASK)})`.execute(db);
}

/**
 * Takes images that are not ours out of the values of all ads and revisions, to be copied: those from before images were
 * copied, and those of an installation that has moved to another address. Visitors see such an ad without the image until
 * its copy is there. Queues what else waits, should its job be lost.
 */
export async function adoptImages(services: Services): Promise<void> {
  for (const kind of ["ad", "revision"] as const) {
    let last = "";
    for (;;) {
      const creatives = await listIllustrated(services.db, kind, last);
      for (const creative of creatives) {
        const isForeign = creative.addresses.some((address) => services.uploads.locate(address) === null);
        if (isForeign) await adoptCreative(services, creative);
      }
      if (creatives.length < BATCH) break;
      last = creatives.at(-1)?.adId ?? "";
    }
  }
  for (const workspaceId of await listWaitingWorkspaces(services.db)) {
    await queueCopying(services.db, workspaceId, 0, "preserve_run_at");
  }
}

/** Does the same for one creative. */
export async function adoptCreative(services: Services, place: CreativePlace): Promise<void> {
  const { db, uploads, now, logger } = services;
  await db.transaction().execute(async (trx) => {
    const content = await lockContent(trx, place);
    if (content === undefined) return;
    const rules = await listFieldRules(trx, place.workspaceId);
    const { meta, images_elsewhere: found } = separateImages(uploads, rules, content.meta, now());
    if (Object.keys(found).length === 0) return;
    const adopted = { meta, images_elsewhere: { ...content.images_elsewhere, ...found } };
    await writeContent(trx, place, adopted, new Date(now()));
    await queueCopies(trx, place.workspaceId, adopted);
    logger.info({ adId: place.adId }, "an image elsewhere is copied before it is shown");
  });
}

/** Creatives with images among their values, in the order of their ads, after one. */
async function listIllustrated(
  db: Kysely<Tables>,
  kind: CreativePlace["kind"],
  after: string,
): Promise<Illustrated[]> {
  const [table, adId] =
    kind === "ad"
      ? [sql.table("ads"), sql.ref("ads.id")]
      : [sql.table("revisions"), sql.ref("revisions.ad_id")];
  const { rows } = await sql<Omit<Illustrated, "kind">>`
    select ${adId} as "adId", fields.workspace_id as "workspaceId", array_agg(meta->>fields.id) as addresses
    from ${table} join fields using (workspace_id)
    where fields.type = 'Image' and meta ? fields.id and ${adId} > ${after}
    group by 1, 2 order by 1 limit ${BATCH}`.execute(db);
  return rows.map((row) => ({ ...row, kind }));
}
