import { type Selectable, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { enqueue } from "../../queue/enqueue.ts";

/** An upload that is not used is removed after a day. */
export const UNUSED_FOR_MS = 24 * 60 * 60_000;
/** A file of an advertiser goes sooner: everybody who buys a free placement may store files. */
export const UNUSED_BY_CHECKOUT_FOR_MS = 6 * 60 * 60_000;

/** The key of an upload within any address. */
export const UPLOAD_KEYS = /ws_[0-9a-z]{26}\/[0-9a-f]{32}\.[a-z]{3,4}/g;

/** Removals are queued for the end of a stretch of time, so that many drafts make one job. */
const STRETCH_MS = 10 * 60_000;

/** What a creative names, as the indexes have it. */
const OF_AD = sql`upload_keys(meta::text, images_elsewhere::text, previous::text, favicon_url, website_url)`;
const OF_REVISION = sql`upload_keys(meta::text, images_elsewhere::text, previous::text, website_url)`;

/** An upload, and the workspace whose rows may name it. */
type Upload = Pick<Selectable<Tables["uploads"]>, "key" | "workspace_id">;

/**
 * Those of these keys that rows of their workspaces name, in one statement, which sees content that moves from a revision to its ad.
 * Creatives are found by their indexes: a workspace may have gigabytes of them.
 */
export async function findUsed(trx: Transaction<Tables>, uploads: readonly Upload[]) {
  const keys = uploads.map(({ key }) => key);
  const workspaceIds = [...new Set(uploads.map(({ workspace_id }) => workspace_id))];
  const isOfThese = sql`workspace_id = any(${workspaceIds}::text[])`;
  const { rows } = await sql<{ key: string }>`
    select distinct key
    from (
      select ${OF_AD} as keys from ads where ${OF_AD} && ${keys}::text[] and ${isOfThese}
      union all
      select ${OF_REVISION} from revisions where ${OF_REVISION} && ${keys}::text[] and ${isOfThese}
      union all
      select upload_keys("default", placeholder, description) from fields where ${isOfThese}
      union all
      select upload_keys(favicon_url, website_url, media_kit::text) from workspaces where id = any(${workspaceIds}::text[])
    ) named, unnest(named.keys) as key
    where key = any(${keys}::text[])`.execute(trx);
  return new Set(rows.map(({ key }) => key));
}

/** The keys of the uploads that these ads, and their open revisions, name. */
export async function uploadsNamedBy(
  trx: Transaction<Tables>,
  workspaceId: string,
  adIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct key
    from (
      select ${OF_AD} as keys from ads where workspace_id = ${workspaceId} and id = any(${[...adIds]}::text[])
      union all
      select ${OF_REVISION} from revisions where workspace_id = ${workspaceId} and ad_id = any(${[...adIds]}::text[])
    ) named, unnest(named.keys) as key`.execute(trx);
  return rows.map(({ key }) => key);
}

/** Queues the removal of what will be unused at the moment `due`, in milliseconds since the epoch. */
export async function removeLater(trx: Transaction<Tables>, due: number): Promise<void> {
  const stretch = Math.ceil(due / STRETCH_MS);
  await enqueue(trx, "unused-uploads", { stretch }, { runAt: new Date(stretch * STRETCH_MS) });
}
