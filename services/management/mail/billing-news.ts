import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { isUnsold } from "#libs/domain/charging.ts";
import { unusedPart } from "#libs/domain/rejection-refund.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import { hasEnded, isOverdue, plannedEnd, type SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { Payments, ProcessorSubscription } from "#libs/payments/index.ts";
import { closedLetter } from "./closing-letters.ts";
import { queueToAdvertiser } from "./delivery.ts";
import { beginGrace } from "./grace.ts";
import type { Letter } from "./letter.ts";
import { mailLinks } from "./links.ts";
import { cancellationNotice, continuesNotice, paymentFailedNotice } from "./publisher-letters.ts";
import { findSale, type SaleRow, saleFacts, unshownOf } from "./sales.ts";
import {
  canceledLetter,
  canceledWhile,
  continuesLetter,
  endedLetter,
  endOf,
  pausedLetter,
  paymentFailedLetter,
  paymentMadeLetter,
  resumedLetter,
} from "./subscription-letters.ts";
import { hasPaid } from "./to-advertiser.ts";
import { type MailPorts, mailPublisher } from "./to-publisher.ts";

/** The part of a subscription's state that letters report; times are milliseconds since the epoch. */
export interface BillingState {
  readonly status: SubscriptionStatus;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
  readonly chargeAt: ChargeAt;
  readonly awaitsApproval: boolean;
  readonly isPeriodVoid: boolean;
}

export type BillingNews =
  | { readonly kind: "payment failed" }
  | { readonly kind: "payment made" }
  /** A cancellation that takes effect later. */
  | { readonly kind: "canceled"; readonly endsAt: Date }
  /** A planned cancellation was withdrawn. */
  | { readonly kind: "continues" }
  | { readonly kind: "ended"; readonly isPlanned: boolean }
  | { readonly kind: "paused" }
  | { readonly kind: "resumed" };

/** The state after a change. */
export interface NewBillingState extends BillingState {
  /** When the subscription ended for good. */
  readonly endedAt: number | null;
}

/**
 * The news in a subscription's change of state. A plan to end is news once, however often it is changed, and so is its withdrawal;
 * in a period that was not sold neither is, because the end then comes at once. An end is planned only where the planned time had come. A
 * failed payment is news once until the payment succeeds.
 */
export function billingNews(before: BillingState, after: NewBillingState): BillingNews[] {
  if (hasEnded(before.status)) return [];
  const planBefore = endsAtOnce(before) ? null : plannedEnd(before);
  if (after.status === "Canceled") {
    const isPlanned = planBefore !== null && (after.endedAt === null || after.endedAt >= planBefore);
    return [{ kind: "ended", isPlanned }];
  }
  const planAfter = endsAtOnce(after) ? null : plannedEnd(after);
  return [...planNews(planBefore, planAfter), ...statusNews(before.status, after)];
}

function planNews(before: number | null, after: number | null): BillingNews[] {
  if (before === null) return after === null ? [] : [{ kind: "canceled", endsAt: new Date(after) }];
  return after === null ? [{ kind: "continues" }] : [];
}

function statusNews(
  before: SubscriptionStatus,
  { status: after, isPeriodVoid }: Pick<BillingState, "status" | "isPeriodVoid">,
): BillingNews[] {
  if (isOverdue(after)) return isOverdue(before) ? [] : [{ kind: "payment failed" }];
  if (after === "Paused") return before === "Paused" ? [] : [{ kind: "paused" }];
  if (before === "Paused") return [{ kind: "resumed" }];
  // An invoice that was voided at the processor is owed no longer, and was not paid.
  return isOverdue(before) && !isPeriodVoid ? [{ kind: "payment made" }] : [];
}

/** Whether a cancellation ends it at once, because nothing was paid for its period. What is paused waits. */
function endsAtOnce(state: BillingState): boolean {
  return state.status !== "Paused" && isUnsold(state);
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
  readonly is_period_void: boolean;
  /** Whether a change of the publisher, which has a letter of its own, is ending it at the moment. */
  readonly is_ended_here: boolean;
}

export interface BillingNewsPorts extends MailPorts {
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/**
 * Queues the letters about a subscription's change, in the transaction that records it, so that each change has them once, whether it
 * was made here or at the processor. The advertiser learns of each, the publisher of failed payments, planned cancellations, their withdrawal, unplanned ends, and ends
 * that leave something to refund.
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
  const sold = { workspace_id: sale.workspace_id, subscription_id: sale.id };
  const isPaid = unshownOf(sale) !== null && (await hasPaid(trx, sold, after.paidAmount));
  const state = { ...after, liveUntil, isPaid };
  for (const news of all) {
    if (news.kind === "ended" && before.is_ended_here) continue;
    await mailPublisherNews(trx, ports, sale, news, state);
    await mailAdvertiserNews(trx, ports, sale, news, state);
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
    isPeriodVoid: before.is_period_void,
  };
}

/**
 * The state after the change; `liveUntil` is the end of the grace of a failed renewal, null without one. `isPaid` is whether something
 * was paid for an ad that was never on the air, and not refunded.
 */
interface NewState
  extends Pick<
    ProcessorSubscription,
    | "status"
    | "cancellationComment"
    | "cancellationReason"
    | "chargeAt"
    | "awaitsApproval"
    | "stop"
    | "paidAmount"
    | "currentPeriodStart"
    | "currentPeriodEnd"
  > {
  readonly liveUntil: Date | null;
  readonly isPaid: boolean;
}

async function mailPublisherNews(
  trx: Transaction<Tables>,
  ports: MailPorts,
  sale: SaleRow,
  news: BillingNews,
  state: NewState,
): Promise<void> {
  const { cancellationComment: comment, liveUntil, isPaid } = state;
  const { workspace_id: workspaceId, advertiser_id: advertiserId, ad_id: adId } = sale;
  const unshown = unshownOf(sale);
  // Of an ad that never ran everything can be refunded.
  const unused = news.kind === "ended" && unshown === null ? unusedAtEnd(state, sale.currency) : 0;
  const links = mailLinks(ports.publicUrl);
  const facts = saleFacts(sale, links.advertiser(workspaceId, advertiserId));
  if (news.kind === "payment failed") {
    await mailPublisher(
      trx,
      ports,
      workspaceId,
      "paymentFailed",
      paymentFailedNotice({ ...facts, liveUntil }),
    );
  } else if (news.kind === "continues") {
    await mailPublisher(trx, ports, workspaceId, "subscriptionCanceled", continuesNotice(facts));
  } else if (
    news.kind === "canceled" ||
    (news.kind === "ended" && (!news.isPlanned || unused > 0 || isPaid))
  ) {
    const endsAt = news.kind === "canceled" ? news.endsAt : null;
    const url = unshown === null || adId === null ? facts.url : links.reviewAd(workspaceId, adId);
    const letter = cancellationNotice({
      ...facts,
      url,
      endsAt,
      canceledWhile: canceledWhile(state.status),
      comment,
      unused,
      unshown,
      isPaid,
    });
    await mailPublisher(trx, ports, workspaceId, "subscriptionCanceled", letter);
  }
}

/** What was paid for time that was left when a stopped subscription ended. */
function unusedAtEnd(ended: NewState, currency: string): number {
  const { stop, paidAmount, currentPeriodStart: start, currentPeriodEnd: end } = ended;
  if (stop === null || paidAmount === null || start === null || end === null) return 0;
  return unusedPart({ paidAmount, currency, start, end }, stop.at);
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
  const urlOf = (link: (workspaceId: string, sessionId: string) => string) =>
    sessionId === null ? null : link(workspaceId, sessionId);
  const isLive = sale.ad_status === "Approved";
  switch (news.kind) {
    case "payment failed":
      return paymentFailedLetter({ ...facts, url: urlOf(links.pay), liveUntil });
    case "payment made":
      return paymentMadeLetter({ ...facts, isLive });
    case "canceled":
      return canceledLetter({
        ...facts,
        url: urlOf(links.billing),
        endsAt: news.endsAt,
        canceledWhile: canceledWhile(charging.status),
        isLive,
      });
    case "continues":
      return continuesLetter({ ...facts, url: urlOf(links.billing) });
    case "ended":
      if (sale.erasing_since !== null) {
        return closedLetter({
          ...facts,
          contact: sale.contact_email,
          refunds: sale.erasing_refunds ?? false,
        });
      }
      return endedLetter({
        ...facts,
        unshown: unshownOf(sale),
        isPaid: charging.isPaid,
        ...(news.isPlanned
          ? { end: "planned", comment: null }
          : { end: isOnlySaved(charging) ? "not charged" : endOf(reason), comment }),
      });
    case "paused":
      return pausedLetter(facts);
    case "resumed":
      return resumedLetter({ ...facts, isLive });
  }
}
