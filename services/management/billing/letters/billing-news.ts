import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type Bill, type PausedPeriod, pausedPeriod } from "#libs/domain/charging.ts";
import { endsWithoutAccount } from "#libs/domain/lost-account.ts";
import type { Outlook } from "#libs/domain/outlook.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import { owedInvoice, type Payments, type ProcessorSubscription } from "#libs/payments/index.ts";
import { cancellationNotice, continuesNotice } from "../../mail/cancellation-notices.ts";
import { closedLetter } from "../../mail/closing-letters.ts";
import { queueToAdvertiser } from "../../mail/delivery.ts";
import type { Letter } from "../../mail/letter.ts";
import { mailLinks } from "../../mail/links.ts";
import { outlookOf } from "../../mail/outlook.ts";
import { pausedLetter, resumedLetter } from "../../mail/pause-letters.ts";
import { paymentFailedNotice } from "../../mail/publisher-letters.ts";
import { findSale, type SaleRow, saleFacts, unshownOf } from "../../mail/sales.ts";
import {
  canceledLetter,
  continuesLetter,
  endedLetter,
  endOf,
  paymentFailedLetter,
  paymentMadeLetter,
} from "../../mail/subscription-letters.ts";
import { hasPaid, paymentOf, unusedAtEnd, wasOwed } from "../../mail/to-advertiser.ts";
import { type MailPorts, mailPublisher } from "../../mail/to-publisher.ts";
import { type BillingNews, type BillingState, billingNews } from "./billing-changes.ts";
import { noteGrace } from "./grace.ts";

/** Whether a card was saved until the approval, which has not come. */
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
  readonly canceled_at: Date | null;
  readonly cancellation_reason: string | null;
  readonly current_period_end: Date | null;
  readonly renewal_failed_at: Date | null;
  readonly charge_at: ChargeAt;
  readonly awaits_approval: boolean;
  readonly is_period_void: boolean;
  readonly stopped_at: Date | null;
  readonly stop_bill: Bill | null;
  readonly owed_invoice: string | null;
  /** Whether the publisher is ending it now. That change sends its own letter. */
  readonly is_ended_here: boolean;
}

export interface BillingNewsPorts extends MailPorts {
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/**
 * Queues the letters about a subscription's change, in the transaction that records it. So each change has its letters once, whether it
 * was made here or at the processor. The advertiser gets a letter about all news. The publisher gets one about failed payments, planned
 * cancellations, their withdrawal, unplanned ends, and ends that leave something to refund.
 */
export async function mailBillingNews(
  trx: Transaction<Tables>,
  ports: BillingNewsPorts,
  before: KnownSubscription,
  after: ProcessorSubscription,
): Promise<void> {
  // The subscription may live on in an account that is gone, so nothing can be said of charges.
  if (endsWithoutAccount(after.cancellationReason)) return;
  // The earlier release did not record when a renewal failed, so its grace is noted now even without news.
  const failsNow = after.renewalFailedAt !== null && before.renewal_failed_at === null;
  const all = billingNews(stateOf(before), { ...after, owedInvoice: owedInvoice(after) });
  if (all.length === 0 && !failsNow) return;
  const sale = await findSale(trx, before.workspace_id, before.id);
  if (sale === undefined) return;
  const { atProcessor } = ports.payments.moment(ports.now());
  const outlook = outlookOf(sale, atProcessor);
  await noteGrace(trx, sale.id, outlook);
  const isPaid = unshownOf(sale) !== null && (await hasPaid(trx, sale, after.paidAmount));
  const { is_period_void: isPeriodVoid, stop_bill: known } = before;
  // The payment by which the ad resumes may be recorded already, with the subscription or in the ledger.
  const isOwed = known === "paid" && (await wasOwed(trx, before, after.periodInvoiceId));
  const bill = isOwed ? "open" : known;
  const resumed = pausedPeriod({ amount: sale.amount, isPeriodVoid, bill });
  const earlier = await paymentOf(trx, before.workspace_id, before.owed_invoice);
  const state = { ...after, outlook, isPaid, resumed, earlier: earlier?.amount ?? null };
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
    canceledAt: before.canceled_at?.getTime() ?? null,
    cancellationReason: before.cancellation_reason,
    currentPeriodEnd: before.current_period_end?.getTime() ?? null,
    chargeAt: before.charge_at,
    awaitsApproval: before.awaits_approval,
    isPeriodVoid: before.is_period_void,
    owedInvoice: before.owed_invoice,
  };
}

/** The state after the change. */
interface NewState
  extends Pick<
    ProcessorSubscription,
    | "cancellationComment"
    | "cancellationReason"
    | "chargeAt"
    | "awaitsApproval"
    | "stop"
    | "paidAmount"
    | "periodInvoiceId"
    | "currentPeriodStart"
    | "currentPeriodEnd"
  > {
  readonly outlook: Outlook;
  /** Whether something was paid for an ad that was never on the air, and not refunded. */
  readonly isPaid: boolean;
  /** What the subscription had of its period when a pause ended. */
  readonly resumed: PausedPeriod;
  /** What has been paid of a charge that failed before the change; null without one. */
  readonly earlier: number | null;
}

async function mailPublisherNews(
  trx: Transaction<Tables>,
  ports: MailPorts,
  sale: SaleRow,
  news: BillingNews,
  state: NewState,
): Promise<void> {
  const { cancellationComment: comment, outlook, isPaid } = state;
  const { workspace_id: workspaceId, advertiser_id: advertiserId, ad_id: adId } = sale;
  const unshown = unshownOf(sale);
  // An ad that never ran can be refunded in full.
  const unused = news.kind === "ended" && unshown === null ? await unusedAtEnd(trx, sale, state) : 0;
  const links = mailLinks(ports.publicUrl);
  const facts = saleFacts(sale, links.advertiser(workspaceId, advertiserId));
  if (news.kind === "payment failed") {
    const letter = paymentFailedNotice({ ...facts, outlook, paid: state.earlier });
    await mailPublisher(trx, ports, workspaceId, "paymentFailed", letter);
  } else if (news.kind === "continues") {
    await mailPublisher(
      trx,
      ports,
      workspaceId,
      "subscriptionCanceled",
      continuesNotice({ ...facts, outlook }),
    );
  } else if (
    news.kind === "canceled" ||
    (news.kind === "ended" && (!news.isPlanned || unused > 0 || isPaid))
  ) {
    const url = unshown === null || adId === null ? facts.url : links.reviewAd(workspaceId, adId);
    const letter = cancellationNotice({
      ...facts,
      url,
      outlook: news.kind === "canceled" ? outlook : null,
      comment,
      unused,
      unshown,
      isPaid,
    });
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
  { cancellationComment: comment, cancellationReason: reason, outlook, ...charging }: NewState,
  links: ReturnType<typeof mailLinks>,
): Letter {
  const { workspace_id: workspaceId, session_id: sessionId } = sale;
  const page = sessionId === null ? null : links.checkout(workspaceId, sessionId);
  const facts = { ...saleFacts(sale, page), outlook };
  const urlOf = (link: (workspaceId: string, sessionId: string) => string) =>
    sessionId === null ? null : link(workspaceId, sessionId);
  switch (news.kind) {
    case "payment failed":
      return paymentFailedLetter({ ...facts, url: urlOf(links.pay), paid: charging.earlier });
    case "payment made":
      return paymentMadeLetter(facts);
    case "canceled":
      return canceledLetter({ ...facts, url: urlOf(links.billing), end: news.end });
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
        paid: news.paid,
        ...(news.isPlanned
          ? { end: "planned", comment: null }
          : { end: isOnlySaved(charging) && !charging.isPaid ? "not charged" : endOf(reason), comment }),
      });
    case "paused":
      return pausedLetter(facts);
    case "resumed":
      return resumedLetter({ ...facts, period: charging.resumed, paid: charging.paidAmount });
  }
}
