import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type Decision, decisionLetter } from "./advertiser-letters.ts";
import { queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";
import { findSale } from "./sales.ts";
import type { MailPorts } from "./to-publisher.ts";

/** Queues the letter about a publisher's decision to the ad's advertiser, unless they have no address. */
export async function mailDecision(
  trx: Transaction<Tables>,
  { publicUrl }: Pick<MailPorts, "publicUrl">,
  ad: { readonly workspace_id: string; readonly subscription_id: string; readonly name: string },
  decision: Decision,
  note: string | null,
): Promise<void> {
  const sale = await findSale(trx, ad.workspace_id, ad.subscription_id);
  if (sale === undefined) return;
  const { workspace, advertiser, session_id, amount } = sale;
  const url = session_id === null ? null : mailLinks(publicUrl).checkout(ad.workspace_id, session_id);
  const isPaid = amount > 0;
  const letter = decisionLetter({ decision, workspace, advertiser, ad: ad.name, note, isPaid, url });
  await queueToAdvertiser(trx, sale, letter);
}
