import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import { ENDED_STATUSES } from "#libs/domain/subscription.ts";
import { UTM_PARAMETERS, type UtmParameter } from "#libs/domain/utm.ts";
import {
  BYTES_AROUND_AN_AD,
  type Growth,
  growthProblem,
  MOST_APPROVED_BYTES,
  MOST_VALUE_BYTES,
} from "#libs/domain/value-bytes.ts";
import { conflict } from "#libs/http/index.ts";

/** Workspaces and ads that one warning names. */
const MOST_NAMED = 20;

/** The longest parameter with its name, in bytes: `withUtm` cuts it at 200 characters, each of which may be 12 bytes in an address. */
const LONGEST_UTM = 20 + 200 * 12;

/** How often a value has a placeholder. */
const usesOf = (value: RawBuilder<string>, placeholder: string) =>
  sql<number>`(octet_length(${value}) - octet_length(replace(${value}, ${placeholder}, ''))) / ${placeholder.length}::int`;

/** At most the bytes that `withUtm` adds, as if each byte of a value were written as three. */
function utmBytes(parameter: UtmParameter): RawBuilder<number> {
  const value = sql<string>`workspaces.${sql.ref(`utm_${parameter}`)}`;
  return sql<number>`case when ${value} is null then 0 else least(${LONGEST_UTM}::int, 20 + 3 * (
    octet_length(${value})
    + ${usesOf(value, "{ad}")} * octet_length(ads.name)
    + ${usesOf(value, "{tier}")} * octet_length(tiers.name)
  )) end`;
}

/** Whether a snapshot may have the ad's values: for an hour after it was last on the air (`libs/placements/load.ts`). */
const HAS_BEEN_ON = sql<boolean>`coalesce(ads.serving_until > now() - interval '1 hour', false)`;

/**
 * The bytes of approved ads in a snapshot. Each has its address twice, with the publisher's UTM parameters. The values of those whose
 * subscription has ended are left out an hour after they were last on the air.
 */
const APPROVED_BYTES = sql<number>`coalesce(sum(
  ${BYTES_AROUND_AN_AD}::int + octet_length(ads.name)
  + 2 * (ads.address_bytes + ${sql.join(UTM_PARAMETERS.map(utmBytes), sql` + `)})
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
      // A rejected ad stays in the snapshot with its values for an hour.
      .where((where) => where.or([where("ads.status", "=", "Approved"), HAS_BEEN_ON]))
  );
}

/** What the approved ads of a workspace take in a snapshot, in bytes. */
export async function approvedBytes(db: Kysely<Tables>, workspaceId: string): Promise<number> {
  const { bytes } = await approvedAds(db)
    .where("ads.workspace_id", "=", workspaceId)
    .select(APPROVED_BYTES.as("bytes"))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/**
 * The result of a change that may make the approved ads of a workspace larger. Throws 409 if they grow by it beyond what a snapshot may
 * have. Changes at the same moment do not see each other: the limit is far from what a process can hold.
 */
export async function withinApprovedBytes<T>(
  trx: Kysely<Tables>,
  workspaceId: string,
  by: Growth,
  change: () => Promise<T>,
): Promise<T> {
  const before = await approvedBytes(trx, workspaceId);
  const changed = await change();
  const problem = growthProblem(by, { before, after: await approvedBytes(trx, workspaceId) });
  if (problem !== null) throw conflict("LIMIT_REACHED", { formErrors: [problem] });
  return changed;
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
