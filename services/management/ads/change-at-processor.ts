import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict } from "#libs/http/index.ts";
import type { Payments, ProcessorSubscription } from "#libs/payments/index.ts";
import type { Actor } from "../api/access/granted.ts";
import type { Change } from "../audit/record.ts";
import { retryWhileOutdated, type SyncAttempt } from "../billing/mirror.ts";
import {
  beginSubscriptionSync,
  subscriptionColumns,
  writeSubscription,
} from "../billing/subscriptions/subscription.ts";
import { claimSubscription, releaseClaim, retryWithin } from "../billing/subscriptions/subscription-claim.ts";
import { type BillingNewsPorts, mailBillingNews } from "../mail/billing-news.ts";
import { finishChange } from "./change.ts";
import { type AdRow, lockAd } from "./queries.ts";

/** How long a change waits for another one of the same ad that is asking the processor. */
const CHANGE_AWAITS_CLAIM_MS = 3_000;

const UNDER_WAY = "Another change of this ad is under way.";

interface ProcessorPorts extends BillingNewsPorts {
  readonly payments: Payments;
}

/** A change of an ad that the processor has to make first. */
interface ProcessorChange {
  readonly actor: Actor;
  readonly action: Change["action"];
  readonly workspaceId: string;
  readonly adId: string;
  /** Throws if the change cannot be made. */
  readonly require: (ad: AdRow) => void;
  /** Asks the processor; null if that is not necessary. */
  readonly ask: (ad: AdRow) => Promise<ProcessorSubscription | null>;
  /** Writes our own changes, beside those of the subscription. */
  readonly record?: (trx: Transaction<Tables>, ad: AdRow) => Promise<void>;
}

/**
 * Changes an ad through the processor, and holds no lock and no connection while the processor answers:
 *
 *     claim ──409, 404──▶ refused
 *       └─▶ ask ──failed──▶ release the claim, 502, nothing recorded
 *             └─▶ record the processor's latest answer in one transaction, and release the claim
 *
 * A second change of the same ad waits for the first one's claim and is judged by the result of the first; 409 if that
 * takes too long.
 */
export async function changeAdAtProcessor(
  db: Kysely<Tables>,
  ports: ProcessorPorts,
  change: ProcessorChange,
) {
  const { payments, logger, now } = ports;
  const { ad, claim } = await claimAd(db, change);
  const id = ad.provider_subscription_id;
  try {
    const begun = await beginSubscriptionSync(db, id);
    let attempt: SyncAttempt = { ...begun, knownVersion: ad.sync_version };
    let subscription = await change.ask(ad);
    return await retryWhileOutdated(async () => {
      const outcome = await db.transaction().execute(async (trx) => {
        const current = await lockAd(trx, change.workspaceId, change.adId);
        if (subscription !== null && current.sync_version !== attempt.knownVersion) return null;
        // Only if the claim has expired can another change have been made meanwhile.
        if (!(await releaseClaim(trx, claim))) change.require(current);
        if (subscription !== null) {
          const row = { ...current, id: current.subscription_id };
          await writeSubscription(trx, row, subscriptionColumns(subscription), attempt.sequence);
          const known = {
            ...row,
            status: row.subscription_status,
            is_being_rejected: change.action === "ad.reject",
          };
          await mailBillingNews(trx, ports, known, subscription);
        }
        await change.record?.(trx, current);
        return await finishChange(trx, change.actor, change.action, current, payments.moment(now()));
      });
      if (outcome !== null) return outcome;
      // A newer state than the processor's answer was recorded meanwhile.
      attempt = await beginSubscriptionSync(db, id);
      subscription = await payments.readSubscription(id, ad.provider_account);
      return null;
    });
  } catch (error) {
    // A claim that cannot be released, with the database away, expires by itself.
    await releaseClaim(db, claim).catch((failure: unknown) =>
      logger.warn({ err: failure, subscription: claim.subscriptionId }, "a claim could not be released"),
    );
    throw error;
  }
}

async function claimAd(db: Kysely<Tables>, { workspaceId, adId, action, require }: ProcessorChange) {
  const claimed = await retryWithin(CHANGE_AWAITS_CLAIM_MS, () =>
    db.transaction().execute(async (trx) => {
      const ad = await lockAd(trx, workspaceId, adId);
      const claim = await claimSubscription(trx, {
        workspaceId,
        subscriptionId: ad.subscription_id,
        purpose: action,
      });
      if (claim === null) return null;
      // Thrown, so that the claim is undone with the transaction.
      require(ad);
      return { ad, claim };
    }),
  );
  if (claimed === null) throw conflict("CHANGE_UNDER_WAY", { formErrors: [UNDER_WAY] });
  return claimed;
}
