import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { footerOf } from "./advertiser-letters.ts";
import { REFUND_ARRIVES } from "./decision-letters.ts";
import { type MailLimitPorts, queueToAdvertiser } from "./delivery.ts";
import { formats } from "./formats.ts";
import { type Letter, quote, subject } from "./letter.ts";
import { findSale } from "./sales.ts";

/** A refund as the letter to the advertiser describes it. */
export interface RefundFacts {
  readonly workspace: string;
  readonly advertiser: string;
  /** The invoice's printed number; null without one. */
  readonly invoice: string | null;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: string;
  /** The processor's word for it; null if none was given. */
  readonly reason: string | null;
  /** The publisher's words. */
  readonly note: string | null;
}

const REASONS: Readonly<Record<string, string>> = {
  duplicate: "Duplicate charge",
  fraudulent: "Fraudulent payment",
  requested_by_customer: "Requested by you",
};

export function refundLetter({ workspace, advertiser, invoice, currency, ...refund }: RefundFacts): Letter {
  const amount = formats.money(refund.amount, currency);
  const of = invoice === null ? "your invoice" : `invoice ${invoice}`;
  const reason = REASONS[refund.reason ?? ""];
  return {
    subject: subject`${workspace} has refunded ${amount}`,
    preheader: `You get back ${amount} of ${of}.`,
    blocks: [
      `Hi ${advertiser},`,
      `${workspace} has refunded ${amount} of ${of}.`,
      ...(reason === undefined ? [] : [`Reason: ${reason}`]),
      ...(refund.note === null ? [] : [quote(refund.note)]),
      REFUND_ARRIVES,
    ],
    footer: footerOf(workspace),
  };
}

/** Queues the letter about a refund to the advertiser of the subscription, unless they have no address. */
export async function mailRefund(
  trx: Transaction<Tables>,
  ports: MailLimitPorts,
  {
    workspaceId,
    subscriptionId,
    ...refund
  }: Omit<RefundFacts, "workspace" | "advertiser"> & {
    readonly workspaceId: string;
    readonly subscriptionId: string;
  },
): Promise<void> {
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined) return;
  const { workspace, advertiser } = sale;
  await queueToAdvertiser(trx, ports, "refund", sale, refundLetter({ workspace, advertiser, ...refund }));
}
