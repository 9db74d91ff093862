import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import { hasEnded, isOverdue, plannedEnd, type SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { Payments, ProcessorSubscription } from "#libs/payments/index.ts";
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
  readonly chargeAt: ChargeAt;
  readonly awaitsApproval: boolean;
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
 * The news in a subscription's change of state. A plan to end is news once, however often it is changed; before the first charge
 * it is none, because the end then comes at once. A failed payment is news once until the payment succeeds.
 */
export function billingNews(before: BillingState, after: BillingState): BillingNews[] {
  if (hasEnded(before.status)) return [];
  if (after.status === "Canceled") {
    return [{ kind: "ended", isPlanned: plannedEnd(before) !== null && !isOnlySaved(before) }];
  }
  const end = isOnlySaved(after) || plannedEnd(before) !== null ? null : plannedEnd(after);
  return [
    ...(end === null ? [] : [{ kind: "canceled", endsAt: new Date(end) } as const]),
    ...statusNews(before.status, after.status),
  ];
}

function statusNews(before: SubscriptionStatus, after: SubscriptionStatus): BillingNews[] {
  if (isOverdue(after)) return isOverdue(before) ? [] : [{ kind: "payment failed" }];
  if (after === "Paused") return before === "Paused" ? [] : [{ kind: "paused" }];
  if (before === "Paused") return [{ kind: "resumed" }];
  return isOverdue(before) ? [{ kind: "payment made" }] : [];
}

/** Whether a card was saved and nothing has been charged. */
function isOnlySaved({
  chargeAt,
  awaitsApproval,
}: Pick<BillingState, "chargeAt" | "awaitsApproval">): boolean {
  return chargeAt === "approval" && awaitsApproval;
}

/** A subscription before the change. */
export interface KnownSubscription {
  readonly id: string;
  readonly workspace_id: string;
  readonly status: SubscriptionStatus;
  readonly cancel_at_period_end: boolean;
  readonly cancel_at: Date | null;
  readonly current_period_end: Date | null;
  readonly renewal_failed_at: Date | null;
  readonly charge_at: ChargeAt;
  readonly awaits_approval: boolean;
  /** Whether a rejection is ending it at the moment, which has a letter of its own. */
  readonly is_being_rejected: boolean;
}

export interface BillingNewsPorts extends MailPorts {
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/**
 * Queues the letters about a subscription's change, in the transaction that records it, so that each change has them once, whether it
 * was made here or at the processor. The advertiser learns of each, the publisher of failed payments, planned cancellations and unplanned ends.
 */
export async function mailBillingNews(
  trx: Transaction<Tables>,
  ports: BillingNewsPorts,
  before: KnownSubscription,
  after: ProcessorSubscription,
): Promise<void> {
  // Also without news: the release before did not know when a renewal failed.
  const failsNow = after.renewalFailedAt !== null && before.renewal_failed_at === null;
  const all = billingNews(stateOf(before), after);
  if (all.length === 0 && !failsNow) return;
  const sale = await findSale(trx, before.workspace_id, before.id);
  if (sale === undefined) return;
  const { atProcessor } = ports.payments.moment(ports.now());
  const liveUntil = isOverdue(after.status) ? await beginGrace(trx, sale, after, atProcessor) : null;
  for (const news of all) {
    if (news.kind === "ended" && before.is_being_rejected) continue;
    await mailPublisherNews(trx, ports, sale, news, { ...after, liveUntil });
    await mailAdvertiserNews(trx, ports, sale, news, { ...after, liveUntil });
  }
}

function stateOf(before: KnownSubscription): BillingState {
  return {
    status: before.status,
    cancelAtPeriodEnd: before.cancel_at_period_end,
    cancelAt: before.cancel_at?.getTime() ?? null,
    currentPeriodEnd: before.current_period_end?.getTime() ?? null,
    chargeAt: before.charge_at,
    awaitsApproval: before.awaits_approval,
  };
}

/** The state after the change; `liveUntil` is the end of the grace of a failed renewal, null without one. */
interface NewState
  extends Pick<
    ProcessorSubscription,
    "cancellationComment" | "cancellationReason" | "chargeAt" | "awaitsApproval"
  > {
  readonly liveUntil: Date | null;
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

async function mailAdvertiserNews(
  trx: Transaction<Tables>,
  ports: MailPorts,
  sale: SaleRow,
  news: BillingNews,
  state: NewState,
): Promise<void> {
  const kind = news.kind === "paused" || news.kind === "resumed" ? "pause" : "billing";
  const letter = letterOf(sale, news, state, mailLinks(ports.publicUrl));
  await queueToAdvertiser(trx, ports, kind, sale, letter);
}

/** What the advertiser learns. */
function letterOf(
  sale: SaleRow,
  news: BillingNews,
  { cancellationComment: comment, cancellationReason: reason, liveUntil, ...charging }: NewState,
  links: ReturnType<typeof mailLinks>,
): Letter {
  const { workspace_id: workspaceId, session_id: sessionId } = sale;
  const facts = saleFacts(sale, sessionId === null ? null : links.checkout(workspaceId, sessionId));
  const billing = { ...facts, url: sessionId === null ? null : links.billing(workspaceId, sessionId) };
  const isLive = sale.ad_status === "Approved";
  switch (news.kind) {
    case "payment failed":
      return paymentFailedLetter({ ...billing, liveUntil });
    case "payment made":
      return paymentMadeLetter({ ...facts, isLive });
    case "canceled":
      return canceledLetter({ ...billing, endsAt: news.endsAt });
    case "ended":
      return news.isPlanned
        ? endedLetter({ ...facts, end: "planned", comment: null })
        : endedLetter({ ...facts, end: isOnlySaved(charging) ? "not charged" : endOf(reason), comment });
    case "paused":
      return pausedLetter(facts);
    case "resumed":
      return resumedLetter({ ...facts, isLive });
  }
}

/** The processor's reason for an end that was not planned. */
function endOf(reason: string | null): End {
  if (reason === "payment_failed") return "payment failed";
  return reason === "payment_disputed" ? "payment disputed" : "canceled";
}
