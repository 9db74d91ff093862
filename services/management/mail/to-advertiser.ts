import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { type Decision, decisionLetter, purchaseLetter } from "./advertiser-letters.ts";
import { isWithinLimit, queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";
import { findSale, saleFacts } from "./sales.ts";
import type { MailPorts } from "./to-publisher.ts";

/** Per address and hour: anybody who can buy for free cannot fill somebody else's mailbox. */
const RATE: RateRule = { name: "mail-buyer", points: 20, durationSeconds: 60 * 60 };

/**
 * Queues the letter that thanks for a purchase and links to the submission, in the transaction that completes the checkout.
 * None for a buyer without an address or a subscription that has ended by then. At most 20 per address and hour.
 */
export async function mailPurchase(
  trx: Transaction<Tables>,
  ports: MailPorts,
  {
    workspaceId,
    subscriptionId,
    sessionId,
  }: { readonly workspaceId: string; readonly subscriptionId: string; readonly sessionId: string },
): Promise<void> {
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined || sale.email === null || hasEnded(sale.status)) return;
  if (!(await isWithinLimit(ports, RATE, sale.email, { workspaceId, subscriptionId }))) return;
  const url = mailLinks(ports.publicUrl).checkout(workspaceId, sessionId);
  const letter = purchaseLetter({
    ...saleFacts(sale, url),
    trialEnd: sale.status === "Trialing" ? sale.trial_end : null,
    url,
  });
  await queueToAdvertiser(trx, sale, letter);
}

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
