import type { ExpressionBuilder } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { OVERDUE_STATUSES, type SubscriptionFilter } from "#libs/domain/subscription.ts";

/** The condition on `subscriptions` that a list's `subscription` filter stands for; without one all are meant. */
export function isSubscription(
  where: ExpressionBuilder<Tables, "subscriptions">,
  filter: SubscriptionFilter | undefined,
) {
  switch (filter) {
    case undefined:
      return where.and([]);
    case "PastDue":
      return where("subscriptions.status", "in", OVERDUE_STATUSES);
    case "Paused":
      return where("subscriptions.status", "=", "Paused");
    case "Canceling":
      return where.and([
        where("subscriptions.status", "in", ["Active", "Trialing"]),
        where.or([
          where("subscriptions.cancel_at_period_end", "=", true),
          where("subscriptions.cancel_at", "is not", null),
        ]),
      ]);
  }
}
