import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { awaitsCharge } from "../snapshots/publish.ts";
import { type Decision, type DecisionFacts, decisionLetter } from "./advertiser-letters.ts";
import { queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";
import { findSale } from "./sales.ts";
import type { MailPorts } from "./to-publisher.ts";

interface AdOfSale {
  readonly workspace_id: string;
  readonly subscription_id: string;
}

/**
 * Queues the letter about a publisher's decision to the ad's advertiser, unless they have no address. `refunded` is what a
 * rejection has refunded; null for nothing.
 */
export async function mailDecision(
  trx: Transaction<Tables>,
  { publicUrl }: Pick<MailPorts, "publicUrl">,
  ad: AdOfSale & { readonly name: string },
  decision: Decision,
  note: string | null,
  refunded: DecisionFacts["refunded"] = null,
): Promise<void> {
  const sale = await findSale(trx, ad.workspace_id, ad.subscription_id);
  if (sale === undefined) return;
  const { workspace, advertiser, session_id } = sale;
  const url = session_id === null ? null : mailLinks(publicUrl).checkout(ad.workspace_id, session_id);
  const isPaid = sale.amount > 0 && !awaitsCharge(sale);
  const letter = decisionLetter({
    decision,
    workspace,
    advertiser,
    ad: ad.name,
    note,
    isPaid,
    refunded,
    url,
  });
  await queueToAdvertiser(trx, sale, letter);
}
