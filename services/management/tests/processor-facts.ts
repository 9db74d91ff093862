import type { TestDatabase } from "#libs/database/testing.ts";

/** What came of the processor's events, in words that do not depend on when or in which order they came. */
export async function processorFacts({ pool }: TestDatabase) {
  const [subscriptions, checkouts, invoices, charges, refunds] = await Promise.all(
    [
      `select provider_subscription_id, status, cancel_at_period_end, cancel_at, canceled_at, cancellation_reason,
         cancellation_feedback, cancellation_comment, current_period_start, current_period_end, trial_end, paid_amount,
         price_id, tier_id, advertisers.email, advertisers.name
       from subscriptions join advertisers on advertisers.id = advertiser_id order by 1`,
      `select session.id, session.status, provider_subscription_id from checkout_sessions as session
       left join subscriptions on subscriptions.id = session.subscription_id order by 1`,
      `select provider_invoice_id, invoices.status, total, amount_paid, provider_subscription_id from invoices
       join subscriptions on subscriptions.id = invoices.subscription_id order by 1`,
      "select provider_charge_id, amount_refunded, disputed, dispute_amount, dispute_status, dispute_due_at from charges order by 1",
      "select provider_refund_id, provider_charge_id, amount, currency, reason from refunds order by 1",
    ].map(async (statement) => (await pool.query(statement)).rows),
  );
  return { subscriptions, checkouts, invoices, charges, refunds };
}

/** Forgets all that came of the processor's events; the checkouts are as they were when they were opened. */
export async function forgetProcessorFacts({ pool }: TestDatabase): Promise<void> {
  await pool.query(`
    delete from refunds; delete from charges; delete from invoices; delete from ledger_fills;
    update checkout_sessions set status = 'open', subscription_id = null;
    delete from subscriptions; delete from advertisers; delete from webhook_events; delete from audit_log;
  `);
}

/** Our word on each subscription, by the processor's id. */
export function statusesOf(facts: Awaited<ReturnType<typeof processorFacts>>): Map<string, string> {
  return new Map((facts.subscriptions ?? []).map((row) => [row.provider_subscription_id, row.status]));
}
