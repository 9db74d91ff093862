import type { ExpressionBuilder } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { ENDED_STATUSES, OVERDUE_STATUSES, type SubscriptionFilter } from "#libs/domain/subscription.ts";

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
    case "NeverRan":
      return where.and([
        where("subscriptions.status", "in", ENDED_STATUSES),
        // A refund that is due is decided.
        where("subscriptions.refund_due_since", "is", null),
        hasUnseenAd(where),
        hasRefundablePayment(where),
      ]);
  }
}

function hasUnseenAd(where: ExpressionBuilder<Tables, "subscriptions">) {
  return where.exists(
    where
      .selectFrom("ads as unseen")
      .whereRef("unseen.workspace_id", "=", "subscriptions.workspace_id")
      .whereRef("unseen.subscription_id", "=", "subscriptions.id")
      .where("unseen.serving_since", "is", null)
      .where("unseen.status", "<>", "Rejected")
      .select("unseen.id"),
  );
}

/** Whether something was paid that was neither refunded nor taken back by the bank. */
function hasRefundablePayment(where: ExpressionBuilder<Tables, "subscriptions">) {
  return where.exists(
    where
      .selectFrom("invoices")
      // Only what was refunded or disputed has a charge in the ledger.
      .leftJoin("charges", (join) =>
        join
          .onRef("charges.invoice_id", "=", "invoices.id")
          .onRef("charges.workspace_id", "=", "invoices.workspace_id"),
      )
      .whereRef("invoices.workspace_id", "=", "subscriptions.workspace_id")
      .whereRef("invoices.subscription_id", "=", "subscriptions.id")
      .where(({ eb, fn, val }) =>
        eb("invoices.amount_paid", ">", fn.coalesce("charges.amount_refunded", val(0))),
      )
      .where((of) =>
        of.or([
          of("charges.dispute_status", "is", null),
          of("charges.dispute_status", "in", ["won", "inquiry"]),
        ]),
      )
      .select("invoices.id"),
  );
}
