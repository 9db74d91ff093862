import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import { UTM_PARAMETERS } from "#libs/domain/utm.ts";
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

/** What `encodeURIComponent` leaves as it is, and what else an address may have. */
const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
const OF_ADDRESSES = `${UNRESERVED}:/?#[]@!$&'()*+,;=%`;

/** The length of a text once it is percent-encoded, which makes three characters of each other byte. */
const encoded = (text: RawBuilder<string>, kept: string) =>
  sql<number>`octet_length(${text}) + 2 * octet_length(translate(${text}, ${kept}, ''))`;

/** As `withUtm` adds it: what `{ad}` and `{tier}` stand for is cut as well. */
const utmLength = (column: string) =>
  sql<number>`coalesce(${encoded(
    sql`left(replace(replace(workspaces.${sql.ref(column)}, '{ad}', ads.name), '{tier}', tiers.name), 200)`,
    UNRESERVED,
  )}, 0)`;

/** Whether a snapshot may have the ad's values: for an hour after it was last on the air (`libs/placements/load.ts`). */
const HAS_BEEN_ON = sql<boolean>`coalesce(ads.serving_until > now() - interval '1 hour', false)`;

/**
 * The bytes of approved ads in a snapshot. Each has its address twice, with the publisher's UTM parameters. The values of those whose
 * subscription has ended are left out an hour after they were last on the air.
 */
const APPROVED_BYTES = sql<number>`coalesce(sum(
  ${BYTES_AROUND_AN_AD}::int + octet_length(ads.name)
  + 2 * (${encoded(sql`ads.website_url`, OF_ADDRESSES)} + ${sql.join(
    UTM_PARAMETERS.map((parameter) => utmLength(`utm_${parameter}`)),
    sql` + `,
  )})
  + case when subscriptions.status = any(${[...ENDED_STATUSES]}::subscription_status[])
      and not ${HAS_BEEN_ON}
    then 0 else octet_length(ads.meta::text) end
), 0)`;

function approvedAds(db: Kysely<Tables>) {
  return (
    db
      .selectFrom("ads")
      .innerJoin("workspaces", "workspaces.id", "ads.workspace_id")
      .innerJoin("subscriptions", "subscriptions.id", "ads.subscription_id")
      .innerJoin("tiers", "tiers.id", "subscriptions.tier_id")
      // One that is rejected was approved before.
      .where((where) => where.or([where("ads.status", "=", "Approved"), HAS_BEEN_ON]))
  );
}

/** What the approved ads of a workspace take in a snapshot, in bytes. */
export async function approvedBytes(db: Kysely<Tables>, workspaceId: string, but = ""): Promise<number> {
  const { bytes } = await approvedAds(db)
    .where("ads.workspace_id", "=", workspaceId)
    .where("ads.id", "<>", but)
    .select(APPROVED_BYTES.as("bytes"))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/**
 * Throws 409 if the approved ads of a workspace would become too large for a snapshot with this one. Approvals at the same
 * moment do not see each other: the limit is far from what a process can hold.
 */
export async function requireRoomForApproved(
  trx: Kysely<Tables>,
  { id, workspace_id: workspaceId }: { readonly id: string; readonly workspace_id: string },
  { name, website_url, meta }: Creative,
): Promise<void> {
  const more = BYTES_AROUND_AN_AD + Buffer.byteLength(JSON.stringify([name, website_url, meta]));
  const problem = approvalProblem((await approvedBytes(trx, workspaceId, id)) + more);
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
  const workspaces = await approvedAds(db)
    .select(["ads.workspace_id", APPROVED_BYTES.as("bytes")])
    .groupBy("ads.workspace_id")
    .having(APPROVED_BYTES, ">", MOST_APPROVED_BYTES)
    .limit(MOST_NAMED)
    .execute();
  if (workspaces.length > 0) {
    logger.warn({ workspaces }, "workspaces exceed the limit of approved ads: no more can be approved");
  }
}
