import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { hasEnded, isOverdue, plannedEnd, type SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { ProcessorSubscription } from "#libs/payments/index.ts";
import { queueToAdvertiser } from "./delivery.ts";
import { beginGrace } from "./grace.ts";
import type { Letter } from "./letter.ts";
import { mailLinks } from "./links.ts";
import { cancellationNotice, paymentFailedNotice } from "./publisher-letters.ts";
import { findSale, type SaleRow, saleFacts } from "./sales.ts";
import {
  canceledLetter,
  type End,
  endedLetter,
  pausedLetter,
  paymentFailedLetter,
  paymentMadeLetter,
  resumedLetter,
} from "./subscription-letters.ts";
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
  | { readonly kind: "payment made" }
  /** A cancellation that takes effect later. */
  | { readonly kind: "canceled"; readonly endsAt: Date }
  | { readonly kind: "ended"; readonly isPlanned: boolean }
  | { readonly kind: "paused" }
  | { readonly kind: "resumed" };

/**
 * The news in a subscription's change of state; null for none. A plan to end is news once, however often it is changed. A
 * failed payment is news once until the payment succeeds.
 */
export function billingNews(before: BillingState, after: BillingState): BillingNews | null {
  if (hasEnded(before.status)) return null;
  if (after.status === "Canceled") return { kind: "ended", isPlanned: plannedEnd(before) !== null };
  if (isOverdue(after.status)) {
    return isOverdue(before.status) ? null : { kind: "payment failed" };
  }
  const end = plannedEnd(after);
  if (end !== null && plannedEnd(before) === null) return { kind: "canceled", endsAt: new Date(end) };
  if (after.status === "Paused") return before.status === "Paused" ? null : { kind: "paused" };
  if (before.status === "Paused") return { kind: "resumed" };
  return isOverdue(before.status) ? { kind: "payment made" } : null;
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
 * Queues the letters about a subscription's change at the processor, in the transaction that records it: the advertiser learns
 * of each, the publisher of failed payments, planned cancellations and unplanned ends. What the publisher is doing at the
 * moment is no news, because that has its own letters, and neither is a repeated state.
 */
export async function mailBillingNews(
  trx: Transaction<Tables>,
  ports: MailPorts & { readonly now: () => number },
  before: KnownSubscription,
  after: ProcessorSubscription,
): Promise<void> {
  const news = billingNews(stateOf(before), after);
  if (news === null || (before.is_claimed && isByPublisher(news))) return;
  const sale = await findSale(trx, before.workspace_id, before.id);
  if (sale === undefined) return;
  const isFailure = news.kind === "payment failed";
  const liveUntil = isFailure ? await beginGrace(trx, sale, after, ports.now()) : null;
  await mailPublisherNews(trx, ports, sale, news, { ...after, liveUntil });
  const letter = letterOf(sale, news, { ...after, liveUntil }, mailLinks(ports.publicUrl));
  await queueToAdvertiser(trx, sale, letter);
}

function stateOf(before: KnownSubscription): BillingState {
  return {
    status: before.status,
    cancelAtPeriodEnd: before.cancel_at_period_end,
    cancelAt: before.cancel_at?.getTime() ?? null,
    currentPeriodEnd: before.current_period_end?.getTime() ?? null,
  };
}

/** The state after the change; `liveUntil` is the end of the grace of a failed renewal, null without one. */
interface NewState extends Pick<ProcessorSubscription, "cancellationComment" | "cancellationReason"> {
  readonly liveUntil: Date | null;
}

function isByPublisher({ kind }: BillingNews): boolean {
  return kind === "ended" || kind === "paused" || kind === "resumed";
}

async function mailPublisherNews(
  trx: Transaction<Tables>,
  ports: MailPorts,
  sale: SaleRow,
  news: BillingNews,
  { cancellationComment: comment, liveUntil }: NewState,
): Promise<void> {
  const { workspace_id: workspaceId, advertiser_id: advertiserId } = sale;
  const facts = saleFacts(sale, mailLinks(ports.publicUrl).advertiser(workspaceId, advertiserId));
  if (news.kind === "payment failed") {
    await mailPublisher(
      trx,
      ports,
      workspaceId,
      "paymentFailed",
      paymentFailedNotice({ ...facts, liveUntil }),
    );
  } else if (news.kind === "canceled" || (news.kind === "ended" && !news.isPlanned)) {
    const endsAt = news.kind === "canceled" ? news.endsAt : null;
    const letter = cancellationNotice({ ...facts, endsAt, comment });
    await mailPublisher(trx, ports, workspaceId, "subscriptionCanceled", letter);
  }
}

/** What the advertiser learns. */
function letterOf(
  sale: SaleRow,
  news: BillingNews,
  { cancellationComment: comment, cancellationReason: reason, liveUntil }: NewState,
  links: ReturnType<typeof mailLinks>,
): Letter {
  const { workspace_id: workspaceId, session_id: sessionId } = sale;
  const facts = saleFacts(sale, sessionId === null ? null : links.checkout(workspaceId, sessionId));
  const billing = { ...facts, url: sessionId === null ? null : links.billing(workspaceId, sessionId) };
  switch (news.kind) {
    case "payment failed":
      return paymentFailedLetter({ ...billing, liveUntil });
    case "payment made":
      return paymentMadeLetter(facts);
    case "canceled":
      return canceledLetter({ ...billing, endsAt: news.endsAt });
    case "ended":
      return news.isPlanned
        ? endedLetter({ ...facts, end: "planned", comment: null })
        : endedLetter({ ...facts, end: endOf(reason), comment });
    case "paused":
      return pausedLetter(facts);
    case "resumed":
      return resumedLetter(facts);
  }
}

/** The processor's reason for an end that was not planned. */
function endOf(reason: string | null): End {
  if (reason === "payment_failed") return "payment failed";
  return reason === "payment_disputed" ? "payment disputed" : "canceled";
}
