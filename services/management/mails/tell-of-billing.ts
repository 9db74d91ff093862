import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ProviderSubscription } from "#libs/payments/index.ts";
import type { LockedSubscription } from "../checkout/subscription-queries.ts";
import { queueMail } from "../jobs/mail.ts";
import type { Services } from "../services.ts";
import { billingNews } from "./billing/news.ts";
import { languageFor } from "./language.ts";
import { mailLinks } from "./links.ts";
import { tellPublisher } from "./publishers.ts";
import { findSale, type SaleRow, saleFacts } from "./sales.ts";
import { writeMail } from "./write-mail.ts";

/**
 * Queues the mails of what has become of a subscription at the processor, in the transaction that records it: to the
 * publisher and the advertiser that a payment failed, to the publisher that it was canceled. For changes that the
 * publisher has not made, so a subscription that ends while they are changing it is no news, and neither is a state that
 * comes again.
 */
export async function tellOfBilling(
  trx: Transaction<Tables>,
  services: Pick<Services, "limits" | "logger" | "publicUrl">,
  before: LockedSubscription,
  after: ProviderSubscription,
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

  const seen = mailLinks(services.publicUrl).advertiser(sale.workspace_id, sale.advertiser_id);
  const facts = saleFacts(sale, seen);
  if (news.kind === "canceled") {
    const { endsAt } = news;
    await tellPublisher(trx, services, sale.workspace_id, "subscriptionCanceled", (language) =>
      language.subscriptionCanceled({ ...facts, endsAt, comment: after.cancellationComment }),
    );
    return;
  }
  await tellPublisher(trx, services, sale.workspace_id, "paymentFailed", (language) =>
    language.buyerPaymentFailed(facts),
  );
  await askForPayment(trx, services, sale);
}

async function askForPayment(
  trx: Transaction<Tables>,
  { publicUrl }: Pick<Services, "publicUrl">,
  sale: SaleRow,
): Promise<void> {
  if (sale.email === null) return;
  const language = languageFor();
  const { workspace_id, session_id } = sale;
  const url = session_id === null ? null : mailLinks(publicUrl).billing(workspace_id, session_id);
  const letter = language.paymentFailed(saleFacts(sale, url));
  await queueMail(trx, writeMail(language, { to: sale.email, onBehalfOf: sale.workspace }, letter));
}
