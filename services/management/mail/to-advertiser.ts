import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { type Decision, type DecisionFacts, decisionLetter } from "./advertiser-letters.ts";
import { isWithinLimit, queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";
import { findSale, saleFacts } from "./sales.ts";
import type { pausedLetter, resumedLetter } from "./subscription-letters.ts";
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
  const isPaid = sale.amount > 0 && !(sale.charge_at === "approval" && sale.awaits_approval);
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

/** Per address and hour: pausing and resuming again and again fills no mailbox. */
const RATE: RateRule = { name: "mail-paused", points: 20, durationSeconds: 60 * 60 };

/** Queues the letter that the publisher has paused or resumed an ad. At most 20 per address and hour. */
export async function mailPause(
  trx: Transaction<Tables>,
  ports: MailPorts,
  { workspace_id: workspaceId, subscription_id: subscriptionId }: AdOfSale,
  letterOf: typeof pausedLetter | typeof resumedLetter,
): Promise<void> {
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined || sale.email === null) return;
  if (!(await isWithinLimit(ports, RATE, sale.email, { workspaceId, subscriptionId }))) return;
  const { session_id: sessionId } = sale;
  const url = sessionId === null ? null : mailLinks(ports.publicUrl).checkout(workspaceId, sessionId);
  await queueToAdvertiser(trx, sale, letterOf(saleFacts(sale, url)));
}
