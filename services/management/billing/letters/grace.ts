import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import type { Outlook } from "#libs/domain/outlook.ts";
import type { Payments } from "#libs/payments/index.ts";
import { queueToAdvertiser } from "../../mail/delivery.ts";
import { mailLinks } from "../../mail/links.ts";
import { outlookOf } from "../../mail/outlook.ts";
import { graceEndedNotice } from "../../mail/publisher-letters.ts";
import { findSale, type SaleRow, saleFacts } from "../../mail/sales.ts";
import { graceEndedLetter } from "../../mail/subscription-letters.ts";
import { type MailPorts, mailPublisher } from "../../mail/to-publisher.ts";
import { graceEndOf } from "../../snapshots/publish.ts";

/** Per transaction. */
const PAGE = 100;

interface GracePorts {
  readonly db: Kysely<Tables>;
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/**
 * Records whether the end of the grace needs letters too (`tellGraceEnds`), in the transaction that has locked the subscription. It needs
 * none if the ad is off the air already, because the letters of now say so.
 */
export async function noteGrace(trx: Transaction<Tables>, id: string, outlook: Outlook): Promise<void> {
  if (outlook.state === "owed") await setTellsGraceEnd(trx, id, outlook.liveUntil !== null);
}

async function setTellsGraceEnd(trx: Transaction<Tables>, id: string, isTold: boolean) {
  await trx.updateTable("subscriptions").set({ tells_grace_end: isTold }).where("id", "=", id).execute();
}

/**
 * Tells publisher and advertiser of each grace that has ended without a payment, once: the letters are queued in the
 * transaction that notes it. A renewal that was paid meanwhile is no news here.
 */
export async function tellGraceEnds(ports: MailPorts & GracePorts): Promise<void> {
  const { atProcessor } = ports.payments.moment(ports.now());
  let after: string | null = "";
  while (after !== null) {
    const from: string = after;
    after = await ports.db.transaction().execute((trx) => tellPage(trx, ports, from, atProcessor));
  }
}

/** The last id of a page of subscriptions after `from`; null when there are no more. */
async function tellPage(
  trx: Transaction<Tables>,
  ports: MailPorts,
  from: string,
  now: ProcessorTime,
): Promise<string | null> {
  const rows = await trx
    .selectFrom("subscriptions")
    .innerJoin("workspaces", "workspaces.id", "subscriptions.workspace_id")
    .where("subscriptions.tells_grace_end", "=", true)
    .where("subscriptions.id", ">", from)
    .select([
      "subscriptions.id",
      "subscriptions.workspace_id",
      "subscriptions.status as subscription_status",
      "subscriptions.renewal_failed_at",
      "subscriptions.current_period_end",
      "subscriptions.stopped_at",
      "workspaces.renewal_grace_days",
      "workspaces.grace_changes",
    ])
    .orderBy("subscriptions.id")
    .limit(PAGE)
    // Waits for a webhook that is changing a subscription: a skipped one would get its letters only in the next run.
    .forUpdate("subscriptions")
    .execute();
  for (const row of rows) {
    const end = graceEndOf(row);
    if (end !== null && end > now) continue;
    await setTellsGraceEnd(trx, row.id, false);
    const sale = end === null ? undefined : await findSale(trx, row.workspace_id, row.id);
    if (sale?.ad_status === "Approved") await mailGraceEnd(trx, ports, sale, now);
  }
  return rows.at(-1)?.id ?? null;
}

async function mailGraceEnd(
  trx: Transaction<Tables>,
  ports: MailPorts,
  sale: SaleRow,
  now: ProcessorTime,
): Promise<void> {
  const links = mailLinks(ports.publicUrl);
  const { workspace_id: workspaceId, session_id: sessionId } = sale;
  const outlook = outlookOf(sale, now);
  const facts = { ...saleFacts(sale, links.advertiser(workspaceId, sale.advertiser_id)), outlook };
  await mailPublisher(trx, ports, workspaceId, "paymentFailed", graceEndedNotice(facts));
  const url = sessionId === null ? null : links.pay(workspaceId, sessionId);
  await queueToAdvertiser(trx, ports, "billing", sale, graceEndedLetter({ ...facts, url }));
}
