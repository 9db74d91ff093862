import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { AdRow } from "../ads/queries.ts";
import { queueMail } from "../jobs/mail.ts";
import type { Services } from "../services.ts";
import { type Decision, languageFor } from "./language.ts";
import { mailLinks } from "./links.ts";
import { findSale } from "./sales.ts";
import { writeMail } from "./write-mail.ts";

/**
 * Queues the mail that tells an ad's advertiser what the publisher has decided, sent once the transaction is committed;
 * to one without an address, none.
 */
export async function tellOfDecision(
  trx: Transaction<Tables>,
  { publicUrl }: Pick<Services, "publicUrl">,
  ad: Pick<AdRow, "workspace_id" | "subscription_id" | "name">,
  decision: Decision,
  note: string | null,
): Promise<void> {
  const sale = await findSale(trx, ad.workspace_id, ad.subscription_id);
  if (sale === undefined || sale.email === null) return;
  const { workspace, advertiser, email, session_id, amount } = sale;
  const url = session_id === null ? null : mailLinks(publicUrl).checkout(ad.workspace_id, session_id);
  const language = languageFor();
  const letter = language.decision({
    decision,
    workspace,
    advertiser,
    ad: ad.name,
    note,
    isPaid: amount > 0,
    url,
  });
  await queueMail(trx, writeMail(language, { to: email, onBehalfOf: workspace }, letter));
}
