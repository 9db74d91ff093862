import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { SubscriptionSums } from "#libs/domain/subscription-totals.ts";
import type { Payments } from "#libs/payments/index.ts";
import { api, forMembers } from "../api/api.ts";
import { placeColumn, readPlace } from "../api/cursor.ts";
import { inOrder } from "../api/pages.ts";
import { partTurnsOf } from "../api/turns.ts";
import { findCurrency } from "../billing/ledger/revenue-queries.ts";
import { AT_ONCE, selectSubscriptions } from "./advertisers/queries.ts";
import { asBillingFacts } from "./advertisers/totals.ts";
import { NEWEST } from "./subscriptions.ts";

const DAY_MS = 86_400_000;

interface Ports {
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/** What the subscriptions of a workspace bring. It reads all of them, a part in each turn of the owner. */
export const subscriptionTotalsRoutes = ({ payments, now }: Ports) => ({
  totals: forMembers(api.subscriptions.totals, async ({ input: { days }, context: { db, access } }) => {
    const { workspaceId } = access;
    const turn = await partTurnsOf(db, workspaceId);
    const { atProcessor } = payments.moment(now());
    const since = new Date(atProcessor - days * DAY_MS);
    const sums = new SubscriptionSums(days, atProcessor);
    let next: string | null = null;
    do {
      const after: string | null = next;
      next = await turn(async () => {
        const part = await findBegun(db, workspaceId, since, after);
        for (const row of part.rows) {
          const sold = { tierId: row.tier_id, hasApprovedAd: row.ad_status === "Approved" };
          sums.add(asBillingFacts({ ...row, charged: null }), sold);
        }
        return part.next;
      });
    } while (next !== null);
    return {
      days,
      currencies: sums.totals(await findCurrency(db, workspaceId)),
      tiers: sums.ofTiers(await findTiers(db, workspaceId)),
    };
  }),
});

/** All tiers, in the order in which advertisers see them. */
async function findTiers(db: Kysely<Tables>, workspaceId: string) {
  return await db
    .selectFrom("tiers")
    .where("workspace_id", "=", workspaceId)
    .select(["id", "name", "weight"])
    .orderBy("order")
    .orderBy("id")
    .execute();
}

/**
 * A part of a workspace's subscriptions that have begun and have not ended before `since`, the newest first, without their charges.
 * `next` is where the next part begins, null after the last.
 */
async function findBegun(db: Kysely<Tables>, workspaceId: string, since: Date, after: string | null) {
  const begun = selectSubscriptions(db, workspaceId)
    .where("subscriptions.status", "not in", ["Incomplete", "IncompleteExpired"])
    .where((one) =>
      one.or([one("subscriptions.ended_at", "is", null), one("subscriptions.ended_at", ">=", since)]),
    )
    .select(placeColumn(NEWEST));
  const place = after === null ? undefined : { page: 1, keys: readPlace(after) };
  const rows = await inOrder(begun, NEWEST, place).limit(AT_ONCE).execute();
  return { rows, next: rows.length < AT_ONCE ? null : (rows.at(-1)?.place ?? null) };
}
