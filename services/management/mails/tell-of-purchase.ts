import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { queueMail } from "../jobs/mail.ts";
import type { Services } from "../services.ts";
import { ENDED } from "./billing/news.ts";
import { languageFor } from "./language.ts";
import { mailLinks } from "./links.ts";
import { findSale, priceFacts } from "./sales.ts";
import { writeMail } from "./write-mail.ts";

/** To one address: whoever can buy for nothing cannot fill somebody else's mailbox. */
const TOLD_RATE: RateRule = { name: "mail-buyer", points: 20, durationSeconds: 60 * 60 };

export interface CompletedPurchase {
  readonly workspaceId: string;
  readonly subscriptionId: string;
  readonly sessionId: string;
}

/**
 * Queues the mail that thanks for a purchase and leads to where the ad is sent, in the transaction that completes the
 * checkout; to a buyer without an address none, nor for what has ended by then. An address gets no more than 20 an hour.
 */
export async function tellOfPurchase(
  trx: Transaction<Tables>,
  { limits, logger, publicUrl }: Pick<Services, "limits" | "logger" | "publicUrl">,
  { workspaceId, subscriptionId, sessionId }: CompletedPurchase,
): Promise<void> {
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined || sale.email === null || ENDED.has(sale.status)) return;
  const rate = await limits.consume(TOLD_RATE, sale.email);
  if (!rate.allowed) {
    logger.warn({ workspaceId, subscriptionId }, "a buyer was not told: there were too many within the hour");
    return;
  }
  const { workspace, tier, status, trial_end } = sale;
  const language = languageFor();
  const letter = language.purchase({
    workspace,
    tier,
    price: priceFacts(sale),
    trialEnd: status === "Trialing" ? trial_end : null,
    url: mailLinks(publicUrl).checkout(workspaceId, sessionId),
  });
  await queueMail(trx, writeMail(language, { to: sale.email, onBehalfOf: workspace }, letter));
}
