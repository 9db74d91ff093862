import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import type { KeyRing } from "#libs/installation/index.ts";

/** Tokens that let the holder of a link end an advertiser's reports, and nothing else. They never expire, as emails are kept. */
export interface UnsubscribeTokens {
  sign(advertiserId: string): string;
  /** The advertiser that the token was signed for; null for any other text. */
  read(token: string): string | null;
}

/** Tokens under their own keys, derived from secrets of the installation of at least 32 random characters. */
export function createUnsubscribeTokens(secrets: KeyRing): UnsubscribeTokens {
  const seal = (secret: string, advertiserId: string) => {
    const key = Buffer.from(hkdfSync("sha256", secret, "", "unsubscribe from reports", 32));
    return createHmac("sha256", key).update(advertiserId).digest();
  };

  return {
    sign: (advertiserId) => `${advertiserId}.${seal(secrets[0], advertiserId).toString("base64url")}`,
    read(token) {
      const [advertiserId = "", given = "", ...more] = token.split(".");
      if (more.length > 0 || !isId("advertiser", advertiserId)) return null;
      const sealed = Buffer.from(given, "base64url");
      const isOurs = secrets.some((secret) => {
        const expected = seal(secret, advertiserId);
        return sealed.length === expected.length && timingSafeEqual(sealed, expected);
      });
      return isOurs ? advertiserId : null;
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
