import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { Seals } from "../../api/seals.ts";

const SALT_BYTES = 16;

/** An ad whose report is shown. */
export interface ReportedAd {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  /** Null before it was first on the air. */
  readonly serving_since: Date | null;
}

/** The end of the address at which anybody reads an ad's report; null while its advertiser does not share it. */
export async function findLink(
  db: Kysely<Tables>,
  seals: Seals,
  ad: Pick<ReportedAd, "id" | "workspace_id">,
): Promise<string | null> {
  const salt = await findSalt(db, ad.workspace_id, ad.id);
  return salt === null ? null : `${ad.id}.${seals.of(`${ad.id} ${salt}`)}`;
}

/** The ad of a link that still works; undefined for anything else. */
export async function findSharedAd(
  db: Kysely<Tables>,
  seals: Seals,
  workspaceId: string,
  link: string,
): Promise<ReportedAd | undefined> {
  const [adId = "", seal = "", ...more] = link.split(".");
  if (more.length > 0 || !isId("ad", adId)) return undefined;
  const salt = await findSalt(db, workspaceId, adId);
  if (salt === null || !seals.isOf(`${adId} ${salt}`, seal)) return undefined;
  return await db
    .selectFrom("ads")
    .where("id", "=", adId)
    .where("workspace_id", "=", workspaceId)
    .select(["id", "workspace_id", "name", "serving_since"])
    .executeTakeFirst();
}

async function findSalt(db: Kysely<Tables>, workspaceId: string, adId: string): Promise<string | null> {
  const found = await db
    .selectFrom("report_links")
    .where("ad_id", "=", adId)
    .where("workspace_id", "=", workspaceId)
    .select("salt")
    .executeTakeFirst();
  return found?.salt ?? null;
}

/** Shares the report of an ad; one that is shared keeps its address. */
export async function share(db: Kysely<Tables>, ad: Pick<ReportedAd, "id" | "workspace_id">): Promise<void> {
  await db
    .insertInto("report_links")
    .values({
      ad_id: ad.id,
      workspace_id: ad.workspace_id,
      salt: randomBytes(SALT_BYTES).toString("base64url"),
    })
    .onConflict((conflict) => conflict.column("ad_id").doNothing())
    .execute();
}

/** Ends the sharing: the address never works again. */
export async function unshare(
  db: Kysely<Tables>,
  ad: Pick<ReportedAd, "id" | "workspace_id">,
): Promise<void> {
  await db
    .deleteFrom("report_links")
    .where("ad_id", "=", ad.id)
    .where("workspace_id", "=", ad.workspace_id)
    .execute();
}
