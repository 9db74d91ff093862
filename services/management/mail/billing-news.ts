import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { hasEnded, isOverdue, plannedEnd, type SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { ProcessorSubscription } from "#libs/payments/index.ts";
import { paymentFailedLetter } from "./advertiser-letters.ts";
import { queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";
import { cancellationNotice, paymentFailedNotice } from "./publisher-letters.ts";
import { findSale, saleFacts } from "./sales.ts";
import { type MailPorts, mailPublisher } from "./to-publisher.ts";

/** The part of a subscription's state that letters report; times are milliseconds since the epoch. */
export interface BillingState {
  readonly status: SubscriptionStatus;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
}

export type BillingNews =
  | { readonly kind: "payment failed" }
  /** `endsAt` is null once it has ended. */
  | { readonly kind: "canceled"; readonly endsAt: Date | null };

/**
 * The news in a subscription's change of state; null for none. A cancellation is news once: when it is planned, or when it
 * happens unplanned. A failed payment is news once until the payment succeeds.
 */
export function billingNews(before: BillingState, after: BillingState): BillingNews | null {
  if (hasEnded(before.status)) return null;
  if (after.status === "Canceled") {
    return plannedEnd(before) === null ? { kind: "canceled", endsAt: null } : null;
  }
  if (isOverdue(after.status) && !isOverdue(before.status)) return { kind: "payment failed" };
  const end = plannedEnd(after);
  return end === null || plannedEnd(before) !== null ? null : { kind: "canceled", endsAt: new Date(end) };
}

/** A subscription before the change. */
export interface KnownSubscription {
  readonly id: string;
  readonly workspace_id: string;
  readonly status: SubscriptionStatus;
  readonly cancel_at_period_end: boolean;
  readonly cancel_at: Date | null;
  readonly current_period_end: Date | null;
  /** Whether the publisher is changing it at the moment. */
  readonly is_claimed: boolean;
}

/**
 * Queues the letters about a subscription's change at the processor, in the transaction that records it: to publisher and
 * advertiser when a payment failed, to the publisher when it was canceled. The end of a subscription that the publisher is
 * changing is no news, and neither is a repeated state.
 */
export async function mailBillingNews(
  trx: Transaction<Tables>,
  ports: MailPorts,
  before: KnownSubscription,
  after: ProcessorSubscription,
): Promise<void> {
  const news = billingNews(
    {
      status: before.status,
      cancelAtPeriodEnd: before.cancel_at_period_end,
      cancelAt: before.cancel_at?.getTime() ?? null,
      currentPeriodEnd: before.current_period_end?.getTime() ?? null,
    },
    after,
  );
  if (news === null || (news.kind === "canceled" && news.endsAt === null && before.is_claimed)) return;
  const sale = await findSale(trx, before.workspace_id, before.id);
  if (sale === undefined) return;

  const links = mailLinks(ports.publicUrl);
  const { workspace_id: workspaceId, session_id: sessionId } = sale;
  const facts = saleFacts(sale, links.advertiser(workspaceId, sale.advertiser_id));
  if (news.kind === "canceled") {
    const letter = cancellationNotice({ ...facts, endsAt: news.endsAt, comment: after.cancellationComment });
    await mailPublisher(trx, ports, workspaceId, "subscriptionCanceled", letter);
    return;
  }
  await mailPublisher(trx, ports, workspaceId, "paymentFailed", paymentFailedNotice(facts));
  const url = sessionId === null ? null : links.billing(workspaceId, sessionId);
  await queueToAdvertiser(trx, sale, paymentFailedLetter({ ...facts, url }));
}
