import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import {
  approvalProblem,
  BYTES_AROUND_AN_AD,
  MOST_APPROVED_BYTES,
  MOST_VALUE_BYTES,
} from "#libs/domain/value-bytes.ts";
import { conflict } from "#libs/http/index.ts";

/** Workspaces and ads that one warning names. */
const MOST_NAMED = 20;

interface Creative {
  readonly name: string;
  readonly website_url: string;
  readonly meta: unknown;
}

/** The bytes of approved ads. The values of those whose subscription has ended are in no snapshot. */
const APPROVED_BYTES = sql<number>`coalesce(sum(
  ${BYTES_AROUND_AN_AD}::int + octet_length(ads.name) + octet_length(ads.website_url)
  + case when subscriptions.status = any(${[...ENDED_STATUSES]}::subscription_status[]) then 0 else octet_length(ads.meta::text) end
), 0)`;

/**
 * Throws 409 if the approved ads of a workspace would become too large for a snapshot with this one. Approvals at the same
 * moment do not see each other: the limit is far from what a process can hold.
 */
export async function requireRoomForApproved(
  trx: Kysely<Tables>,
  { id, workspace_id }: { readonly id: string; readonly workspace_id: string },
  { name, website_url, meta }: Creative,
): Promise<void> {
  const { bytes } = await trx
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .where("ads.workspace_id", "=", workspace_id)
    .where("ads.status", "=", "Approved")
    .where("ads.id", "<>", id)
    .select(APPROVED_BYTES.as("bytes"))
    .executeTakeFirstOrThrow();
  const more = BYTES_AROUND_AN_AD + Buffer.byteLength(JSON.stringify([name, website_url, meta]));
  const problem = approvalProblem(Number(bytes) + more);
  if (problem !== null) throw conflict("LIMIT_REACHED", { formErrors: [problem] });
}

/** Warns of ads and workspaces that are larger than may be made today. They continue to serve. */
export async function warnOfLarge(db: Kysely<Tables>, logger: Logger): Promise<void> {
  const ads = await db
    .selectFrom("ads")
    // The advertiser's values, and the publisher's.
    .where(sql<boolean>`octet_length(meta::text) > ${2 * MOST_VALUE_BYTES}`)
    .select(["id", "workspace_id"])
    .orderBy(sql`octet_length(meta::text)`, "desc")
    .limit(MOST_NAMED)
    .execute();
  if (ads.length > 0) {
    logger.warn(
      { ads },
      "ads exceed the size limit, which is newer than they are: requests for them cost more",
    );
  }
  const workspaces = await db
    .selectFrom("ads")
    .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
    .where("ads.status", "=", "Approved")
    .select(["ads.workspace_id", APPROVED_BYTES.as("bytes")])
    .groupBy("ads.workspace_id")
    .having(APPROVED_BYTES, ">", MOST_APPROVED_BYTES)
    .limit(MOST_NAMED)
    .execute();
  if (workspaces.length > 0) {
    logger.warn({ workspaces }, "workspaces exceed the limit of approved ads: no more can be approved");
  }
}
