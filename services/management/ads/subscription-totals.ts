import { SubscriptionSums } from "#libs/domain/subscription-totals.ts";
import type { Payments } from "#libs/payments/index.ts";
import { api, forMembers } from "../api/api.ts";
import { partTurnsOf } from "../api/turns.ts";
import { findCurrency } from "../billing/ledger/revenue-queries.ts";
import { findBegun } from "./advertisers/queries.ts";
import { asBillingFacts } from "./advertisers/totals.ts";

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
        for (const row of part.rows) sums.add(asBillingFacts({ ...row, charged: null }));
        return part.next;
      });
    } while (next !== null);
    return { days, currencies: sums.totals(await findCurrency(db, workspaceId)) };
  }),
});
