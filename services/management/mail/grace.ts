import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { graceEnd } from "#libs/domain/eligibility.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { lastDay, type SubscriptionStatus } from "#libs/domain/subscription.ts";
import type { Payments } from "#libs/payments/index.ts";
import { graceEndOf } from "../snapshots/publish.ts";
import { queueToAdvertiser } from "./delivery.ts";
import { mailLinks } from "./links.ts";
import { graceEndedNotice } from "./publisher-letters.ts";
import { findSale, type SaleRow, saleFacts } from "./sales.ts";
import { graceEndedLetter } from "./subscription-letters.ts";
import { type MailPorts, mailPublisher } from "./to-publisher.ts";

/** Per transaction. */
const PAGE = 100;

interface GracePorts {
  readonly db: Kysely<Tables>;
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/** A subscription whose renewal has failed, with times in milliseconds since the epoch. */
interface FailedRenewal {
  readonly status: SubscriptionStatus;
  readonly renewalFailedAt: number | null;
  readonly currentPeriodEnd: number | null;
  readonly stop: { readonly at: number } | null;
}

/**
 * Until when an ad stays live although its renewal has failed; null if it does not. In that case both get a letter at the end
 * too (`tellGraceEnds`), which this records in the transaction that has locked the subscription.
 */
export async function beginGrace(
  trx: Transaction<Tables>,
  sale: SaleRow,
  failed: FailedRenewal,
  now: ProcessorTime,
): Promise<Date | null> {
  const end = graceEnd({
    ...failed,
    graceDays: sale.renewal_grace_days,
    periodEnd: failed.currentPeriodEnd,
    stoppedAt: failed.stop?.at ?? null,
  });
  const isLive = sale.ad_status === "Approved" && end !== null && end > now;
  // The letter that is written now says that the ad is off the air: an earlier grace needs no letter at its end.
  await setTellsGraceEnd(trx, sale.id, isLive);
  return isLive ? new Date(end) : null;
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
      "subscriptions.cancel_at",
      "subscriptions.cancel_at_period_end",
      "workspaces.renewal_grace_days",
    ])
    .orderBy("subscriptions.id")
    .limit(PAGE)
    // Waits for a webhook that changes one of them just now: skipped, it would not be told of before the next run.
    .forUpdate("subscriptions")
    .execute();
  for (const row of rows) {
    const end = graceEndOf(row);
    if (end !== null && end > now) continue;
    await setTellsGraceEnd(trx, row.id, false);
    const sale = end === null ? undefined : await findSale(trx, row.workspace_id, row.id);
    if (sale?.ad_status !== "Approved") continue;
    const currentPeriodEnd = row.current_period_end?.getTime() ?? null;
    const isLast =
      lastDay({
        cancelAtPeriodEnd: row.cancel_at_period_end,
        cancelAt: row.cancel_at?.getTime() ?? null,
        currentPeriodEnd,
      }) !== null;
    const then = end !== currentPeriodEnd ? "rest" : isLast ? "nothing" : "new period";
    await mailGraceEnd(trx, ports, sale, then);
  }
  return rows.at(-1)?.id ?? null;
}

async function mailGraceEnd(
  trx: Transaction<Tables>,
  ports: MailPorts,
  sale: SaleRow,
  then: Parameters<typeof graceEndedLetter>[0]["then"],
): Promise<void> {
  const links = mailLinks(ports.publicUrl);
  const { workspace_id: workspaceId, session_id: sessionId } = sale;
  const facts = saleFacts(sale, links.advertiser(workspaceId, sale.advertiser_id));
  await mailPublisher(trx, ports, workspaceId, "paymentFailed", graceEndedNotice(facts));
  const url = sessionId === null ? null : links.pay(workspaceId, sessionId);
  await queueToAdvertiser(trx, ports, "billing", sale, graceEndedLetter({ ...facts, url, then }));
}
