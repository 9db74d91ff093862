import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { KeyRing } from "#libs/installation/index.ts";
import { createSeals } from "../api/seals.ts";

/** Tokens that let the holder of a link end an advertiser's reports, and nothing else. They never expire, as emails are kept. */
export interface UnsubscribeTokens {
  sign(advertiserId: string): string;
  /** The advertiser that the token was signed for; null for any other text. */
  read(token: string): string | null;
}

/** Tokens under their own keys, derived from secrets of the installation of at least 32 random characters. */
export function createUnsubscribeTokens(secrets: KeyRing): UnsubscribeTokens {
  const seals = createSeals(secrets, "unsubscribe from reports");
  return {
    sign: (advertiserId) => `${advertiserId}.${seals.of(advertiserId)}`,
    read(token) {
      const [advertiserId = "", seal = "", ...more] = token.split(".");
      if (more.length > 0 || !isId("advertiser", advertiserId)) return null;
      return seals.isOf(advertiserId, seal) ? advertiserId : null;
    },
  };
}

/** The advertiser with that id and its workspace; undefined once it is gone. */
export async function findReader(db: Kysely<Tables>, advertiserId: string) {
  return await db
    .selectFrom("advertisers")
    .innerJoin("workspaces", "workspaces.id", "advertisers.workspace_id")
    .where("advertisers.id", "=", advertiserId)
    .select(["advertisers.name", "advertisers.workspace_id", "workspaces.name as workspace"])
    .executeTakeFirst();
}

/** Records that an advertiser wants no reports; false if that is known already. */
export async function insertUnsubscribe(
  trx: Transaction<Tables>,
  workspaceId: string,
  advertiserId: string,
): Promise<boolean> {
  const inserted = await trx
    .insertInto("report_unsubscribes")
    .values({ advertiser_id: advertiserId, workspace_id: workspaceId })
    .onConflict((conflict) => conflict.column("advertiser_id").doNothing())
    .returning("advertiser_id")
    .executeTakeFirst();
  return inserted !== undefined;
}
