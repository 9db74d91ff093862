import { hash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Payloads } from "../queue/tasks.ts";
import { linksLetter } from "./advertiser-letters.ts";
import { type MailLimitPorts, queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";

/** How long the link to an advertiser's ads works. */
const LINK_HOURS = 1;
const TOKEN_BYTES = 32;

export interface LostLinkPorts extends MailLimitPorts {
  readonly db: Kysely<Tables>;
  readonly publicUrl: URL;
  readonly now: () => number;
}

/** What the database keeps of a link's token. */
export function hashLinkToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/**
 * Queues the letter with the link to all ads of the advertiser with that address; nothing if the workspace has none. Runs in
 * the background, so that the time it takes reveals nothing.
 */
export async function sendLinks(
  ports: LostLinkPorts,
  { workspaceId, email }: Payloads["send-links"],
): Promise<void> {
  const { db, publicUrl, now } = ports;
  await db.transaction().execute(async (trx) => {
    const advertiser = await trx
      .selectFrom("advertisers")
      .innerJoin("workspaces", "workspaces.id", "advertisers.workspace_id")
      .where("advertisers.workspace_id", "=", workspaceId)
      .where("advertisers.email", "=", email)
      .select([
        "advertisers.id",
        "advertisers.workspace_id",
        "advertisers.email",
        "workspaces.name as workspace",
        "workspaces.contact_email",
      ])
      .executeTakeFirst();
    if (advertiser === undefined) return;
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    await trx
      .insertInto("advertiser_links")
      .values({
        token_hash: hashLinkToken(token),
        workspace_id: workspaceId,
        advertiser_id: advertiser.id,
        expires_at: new Date(now() + LINK_HOURS * 60 * 60_000),
      })
      .execute();
    const url = mailLinks(publicUrl).advertisersAds(workspaceId, token);
    const letter = linksLetter({ workspace: advertiser.workspace, url });
    await queueToAdvertiser(trx, ports, "links", advertiser, letter);
  });
}
