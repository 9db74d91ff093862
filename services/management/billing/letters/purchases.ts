import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { ProcessorTime } from "#libs/domain/moment.ts";
import { hasEnded } from "#libs/domain/subscription.ts";
import type { Payments } from "#libs/payments/index.ts";
import { adMissingLetter, purchaseLetter } from "../../mail/advertiser-letters.ts";
import { queueToAdvertiser } from "../../mail/delivery.ts";
import { mailLinks } from "../../mail/links.ts";
import { adMissingNotice, purchaseNotice } from "../../mail/publisher-letters.ts";
import { findSale, paidUntilOf, saleFacts } from "../../mail/sales.ts";
import { type MailPorts, mailPublisher } from "../../mail/to-publisher.ts";
import { enqueue } from "../../queue/enqueue.ts";

/** Days after a purchase without an ad. */
const REMINDED_AFTER_DAYS = 3;
/** Days before the end of what was paid. */
const REMINDED_BEFORE_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
/** Per call: strangers may buy at free prices more than that in an hour. */
const MOST_REMINDERS = 1_000;

interface RemindingPorts extends MailPorts {
  readonly now: () => number;
  readonly payments: Pick<Payments, "moment">;
}

interface Purchase {
  readonly workspaceId: string;
  readonly subscriptionId: string;
  readonly sessionId: string;
}

/** When, on the processor's clock, to look whether a purchase of that moment still has no ad. */
export function reminderOf(now: ProcessorTime): Date {
  return new Date(now + REMINDED_AFTER_DAYS * DAY_MS);
}

/**
 * Queues the letters about a purchase, in the transaction that completes the checkout: to the publisher, and to the buyer with
 * thanks and the link to the submission. None about a subscription that has ended by then.
 */
export async function mailPurchase(
  trx: Transaction<Tables>,
  ports: MailPorts,
  { workspaceId, subscriptionId, sessionId }: Purchase,
): Promise<void> {
  const sale = await findSale(trx, workspaceId, subscriptionId);
  // In a workspace that is being deleted, nothing can be submitted, and the letter about its end comes.
  if (sale === undefined || hasEnded(sale.status) || sale.erasing_since !== null) return;
  const links = mailLinks(ports.publicUrl);
  const facts = saleFacts(sale, links.advertiser(workspaceId, sale.advertiser_id));
  await mailPublisher(trx, ports, workspaceId, "purchase", purchaseNotice(facts));
  const url = links.checkout(workspaceId, sessionId);
  const { charge_at: chargeAt } = sale;
  // A card that is only saved until the approval has a trial at the processor that means nothing.
  const trialEnd = sale.status === "Trialing" && chargeAt === "purchase" ? sale.trial_end : null;
  const letter = purchaseLetter({ ...facts, trialEnd, chargeAt, url });
  await queueToAdvertiser(trx, ports, "purchase", sale, letter, {
    isWithheld: sale.letters_withheld === true,
  });
}

/**
 * Reminds buyer and publisher of each purchase that still has no ad: after three days, and a week before the end of what was
 * paid. Each is looked at once at a time, over all processes: the letters are queued in the transaction that records it. After 1,000 the
 * rest is queued.
 */
export async function remindOfMissingAds(
  ports: RemindingPorts & { readonly db: Kysely<Tables> },
): Promise<void> {
  for (let count = 0; count < MOST_REMINDERS; count += 1) {
    const isDone = await ports.db.transaction().execute(async (trx) => {
      const now = ports.payments.moment(ports.now()).atProcessor;
      const due = await takeDue(trx, now);
      if (due !== undefined) await mailMissingAd(trx, ports, due, now);
      return due === undefined;
    });
    if (isDone) return;
  }
  await enqueue(ports.db, "remind-of-ads", {});
}

/** Takes the purchase whose reminder is due the longest; undefined if none is. */
async function takeDue(trx: Transaction<Tables>, now: ProcessorTime): Promise<Purchase | undefined> {
  const due = await trx
    .selectFrom("checkout_sessions")
    .where("remind_at", "<=", new Date(now))
    .select(["id", "workspace_id", "subscription_id"])
    .orderBy("remind_at")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (due === undefined) return undefined;
  await trx.updateTable("checkout_sessions").set({ remind_at: null }).where("id", "=", due.id).execute();
  return { workspaceId: due.workspace_id, subscriptionId: due.subscription_id ?? "", sessionId: due.id };
}

async function mailMissingAd(
  trx: Transaction<Tables>,
  ports: MailPorts,
  { workspaceId, subscriptionId, sessionId }: Purchase,
  now: ProcessorTime,
): Promise<void> {
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined || sale.ad_id !== null || hasEnded(sale.status)) return;
  const end = paidUntilOf(sale, now);
  const again = end === null ? now : end.getTime() - REMINDED_BEFORE_DAYS * DAY_MS;
  if (again > now) {
    const remindAt = new Date(again);
    await trx
      .updateTable("checkout_sessions")
      .set({ remind_at: remindAt })
      .where("id", "=", sessionId)
      .execute();
  }
  const links = mailLinks(ports.publicUrl);
  const facts = saleFacts(sale, links.advertiser(workspaceId, sale.advertiser_id));
  const days = Math.floor((now - sale.created_at.getTime()) / DAY_MS);
  const letter = adMissingLetter({ ...facts, paidUntil: end, url: links.checkout(workspaceId, sessionId) });
  const isWithheld = sale.letters_withheld === true;
  const isReminded = await queueToAdvertiser(trx, ports, "missing-ad", sale, letter, { isWithheld });
  const notice = adMissingNotice({ ...facts, days, paidUntil: end, isReminded });
  await mailPublisher(trx, ports, workspaceId, "purchase", notice);
}

/** Queues the letter with the link to submit the ad of a purchase, again; false where there is no address or no page. */
export async function mailLinkAgain(
  trx: Transaction<Tables>,
  ports: RemindingPorts,
  workspaceId: string,
  subscriptionId: string,
): Promise<boolean> {
  const sale = await findSale(trx, workspaceId, subscriptionId);
  if (sale === undefined || sale.email === null || sale.session_id === null) return false;
  const url = mailLinks(ports.publicUrl).checkout(workspaceId, sale.session_id);
  const now = ports.payments.moment(ports.now()).atProcessor;
  const letter = adMissingLetter({ ...saleFacts(sale, url), paidUntil: paidUntilOf(sale, now), url });
  await queueToAdvertiser(trx, ports, "missing-ad", sale, letter);
  return true;
}
