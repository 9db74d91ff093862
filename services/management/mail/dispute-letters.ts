import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type DisputeStatus, isOpenDispute } from "#libs/domain/invoice.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import { formats } from "./formats.ts";
import { type Block, type Letter, link, subject } from "./letter.ts";
import { mailLinks } from "./links.ts";
import { publisherFooter } from "./publisher-letters.ts";
import { findSale, type SaleFacts, saleFacts, saleOf } from "./sales.ts";
import { type MailPorts, mailPublisher } from "./to-publisher.ts";

/** What a publisher learns of a dispute; `settled` is an inquiry that ended without one. */
export type DisputeNews = "inquiry" | "opened" | "won" | "lost" | "settled";

/**
 * The news in a charge's dispute; null for none. One that is over when we first hear of it is none: nothing can be done about it.
 */
export function disputeNews(before: DisputeStatus | null, after: DisputeStatus | null): DisputeNews | null {
  if (after === null || after === before) return null;
  const wasOpen = before !== null && isOpenDispute(before);
  switch (after) {
    case "inquiry":
      return "inquiry";
    case "needs_response":
    case "under_review":
      return wasOpen && before !== "inquiry" ? null : "opened";
    case "won":
      return before === "inquiry" ? "settled" : wasOpen ? "won" : null;
    case "lost":
      return wasOpen ? "lost" : null;
  }
}

export interface DisputeFacts {
  readonly news: DisputeNews;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: string;
  /** The invoice's printed number; null without one. */
  readonly invoice: string | null;
  /** When the bank stops taking evidence; null where it takes none. */
  readonly dueBy: Date | null;
}

/** `hasEnded`: the subscription has, perhaps by a change that was to refund the payment. */
export function disputeNotice({
  news,
  hasEnded: isOver,
  sale,
  ...facts
}: DisputeFacts & {
  readonly sale: SaleFacts;
  readonly hasEnded: boolean;
}): Letter {
  const { advertiser, workspace, url } = sale;
  const amount = formats.money(facts.amount, facts.currency);
  const of = facts.invoice === null ? "" : `, invoice ${facts.invoice}`;
  const sold = `${saleOf(sale)} (${formats.price(sale.price)}${of})`;
  const until = facts.dueBy === null ? "" : ` by ${formats.day(facts.dueBy)}`;
  const meanwhile = isOver
    ? "The subscription has ended, so nothing more is charged."
    : "Nothing else changes: the subscription stays as it is unless you end it.";
  const words: Readonly<Record<DisputeNews, readonly [title: string, ...blocks: Block[]]>> = {
    inquiry: [
      `The bank asks about a payment of ${advertiser}`,
      `The bank of ${advertiser} asks about the payment of ${amount} for ${sold}. It hasn't taken the money. Respond${until} in your account at the payment processor, or refund the payment in full, which settles the question.`,
      meanwhile,
    ],
    opened: [
      `${advertiser} disputes a payment`,
      `${advertiser} disputes the payment of ${amount} for ${sold}. The bank has taken the money back until it decides. Send your evidence${until} in your account at the payment processor; without evidence the dispute is lost.`,
      meanwhile,
    ],
    lost: [
      `A dispute is lost: ${advertiser}`,
      `The bank has decided for ${advertiser}: the ${amount} for ${sold} stay with them.`,
      meanwhile,
    ],
    won: [
      `A dispute is won: ${advertiser}`,
      `The bank has decided for you: the ${amount} for ${sold} are yours again.`,
      ...(isOver
        ? [
            "The subscription has ended, and a payment in dispute isn't refunded. If it's to be refunded, refund it now:",
          ]
        : []),
    ],
    settled: [
      `The bank no longer asks about a payment of ${advertiser}`,
      `The question about the payment of ${amount} for ${sold} is settled. No money was taken.`,
    ],
  };
  const [title, ...blocks] = words[news];
  return {
    subject: subject`${title}`,
    preheader: `${saleOf(sale)}, ${amount}.`,
    blocks: [...blocks, ...link("View advertiser", url)],
    footer: publisherFooter(workspace),
  };
}

/** Queues the letter about a dispute to the publisher, in the transaction that records it. */
export async function mailDispute(
  trx: Transaction<Tables>,
  ports: MailPorts,
  { workspaceId, invoiceId, ...facts }: Omit<DisputeFacts, "invoice"> & InvoiceOf,
): Promise<void> {
  const invoice = await trx
    .selectFrom("invoices")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", invoiceId)
    .select(["number", "subscription_id"])
    .executeTakeFirst();
  const sale = invoice && (await findSale(trx, workspaceId, invoice.subscription_id));
  if (sale === undefined) return;
  const letter = disputeNotice({
    ...facts,
    invoice: invoice?.number ?? null,
    sale: saleFacts(sale, mailLinks(ports.publicUrl).advertiser(workspaceId, sale.advertiser_id)),
    hasEnded: hasEnded(sale.status),
  });
  await mailPublisher(trx, ports, workspaceId, "paymentFailed", letter);
}

interface InvoiceOf {
  readonly workspaceId: string;
  readonly invoiceId: string;
}
