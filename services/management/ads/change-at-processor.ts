import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict } from "#libs/http/index.ts";
import type { Payments, ProcessorSubscription } from "#libs/payments/index.ts";
import type { Actor } from "../api/access/granted.ts";
import type { Change } from "../audit/record.ts";
import {
  type BillingNewsPorts,
  type KnownSubscription,
  mailBillingNews,
} from "../billing/letters/billing-news.ts";
import { retryWhileOutdated, type SyncAttempt } from "../billing/mirror.ts";
import { queueCharging } from "../billing/subscriptions/charging-queries.ts";
import { subscriptionColumns } from "../billing/subscriptions/columns.ts";
import { beginSubscriptionSync, writeSubscription } from "../billing/subscriptions/subscription.ts";
import {
  claimSubscription,
  endsHere,
  releaseClaim,
  retryWithin,
  whileClaimed,
} from "../billing/subscriptions/subscription-claim.ts";
import { finishChange } from "./change.ts";
import { type AdRow, lockAd } from "./queries.ts";

/** How long a change waits for another one of the same subscription that is asking the processor. */
const CHANGE_AWAITS_CLAIM_MS = 3_000;

const UNDER_WAY = "Another change of this ad is under way.";

interface ProcessorPorts extends BillingNewsPorts {
  readonly payments: Payments;
}

/** A subscription that a change has locked, with what the change needs besides. */
type LockedRow = Omit<KnownSubscription, "id" | "status" | "is_ended_here"> &
  Pick<AdRow, "subscription_id" | "subscription_status" | "advertiser_id"> &
  Pick<
    AdRow,
    "provider_subscription_id" | "provider_account" | "sync_version" | "free_until" | "refund_due_since"
  >;

/** A change that the processor has to make first. */
interface ProcessorChange<Row> {
  readonly action: Change["action"];
  /** Locks the row; throws 404. */
  readonly lock: (trx: Transaction<Tables>) => Promise<Row>;
  /** Throws if the change cannot be made. */
  readonly require: (row: Row, trx: Transaction<Tables>) => void | Promise<void>;
  /** Records what has to follow even if this process dies before it can record the answer. */
  readonly intend?: (trx: Transaction<Tables>, row: Row) => Promise<void>;
  /** Asks the processor; null if that is not necessary. */
  readonly ask: (row: Row) => Promise<ProcessorSubscription | null>;
}

/** A change of an ad that the processor has to make first. */
interface AdChange extends Omit<ProcessorChange<AdRow>, "lock"> {
  readonly actor: Actor;
  readonly workspaceId: string;
  readonly adId: string;
  /** Writes our own changes, beside those of the subscription. */
  readonly record?: (trx: Transaction<Tables>, ad: AdRow) => Promise<void>;
}

/** Changes an ad through the processor, as `changeAtProcessor` does. */
export async function changeAdAtProcessor(
  db: Kysely<Tables>,
  ports: ProcessorPorts,
  { actor, workspaceId, adId, record, ...change }: AdChange,
) {
  const { payments, now } = ports;
  const lock = async (trx: Transaction<Tables>) => await lockAd(trx, workspaceId, adId);
  return await changeAtProcessor(db, ports, {
    ...change,
    lock,
    finish: async (trx, ad) => {
      await record?.(trx, ad);
      return await finishChange(trx, actor, change.action, ad, payments.moment(now()));
    },
  });
}

/**
 * Changes a subscription through the processor, and holds no lock and no connection while the processor answers:
 *
 *     claim ──409, 404──▶ refused
 *       └─▶ ask ──failed──▶ release the claim, 502, nothing recorded
 *             └─▶ record the processor's latest answer in one transaction, `finish` it, and release the claim
 *
 * A second change of the same subscription waits for the first one's claim and is judged by the result of the first; 409 if that
 * takes too long.
 */
export async function changeAtProcessor<Row extends LockedRow, Result extends object>(
  db: Kysely<Tables>,
  ports: ProcessorPorts,
  change: ProcessorChange<Row> & {
    /** Writes our own changes, with the row as it was before; returns the answer. */
    readonly finish: (trx: Transaction<Tables>, before: Row) => Promise<Result>;
  },
): Promise<Result> {
  const { payments, logger, now } = ports;
  const { row: claimed, claim } = await claimRow(db, change);
  const id = claimed.provider_subscription_id;
  try {
    const begun = await beginSubscriptionSync(db, id);
    let attempt: SyncAttempt = { ...begun, knownVersion: claimed.sync_version };
    let subscription = await whileClaimed(db, claim, async () => await change.ask(claimed));
    return await retryWhileOutdated(async () => {
      const outcome = await db.transaction().execute(async (trx) => {
        // What was only intended is no change yet.
        const current = { ...(await change.lock(trx)), refund_due_since: claimed.refund_due_since };
        if (subscription !== null && current.sync_version !== attempt.knownVersion) return null;
        // Only if the claim has expired can another change have been made meanwhile.
        if (!(await releaseClaim(trx, claim))) await change.require(current, trx);
        if (subscription !== null) {
          const row = { ...current, id: current.subscription_id };
          await writeSubscription(
            trx,
            row,
            subscriptionColumns(subscription, row.free_until),
            attempt.sequence,
          );
          const known = {
            ...row,
            status: row.subscription_status,
            // A webhook may have recorded meanwhile what the change has paid.
            stop_bill: claimed.stop_bill,
            is_ended_here: endsHere(change.action),
          };
          await mailBillingNews(trx, ports, known, subscription);
        }
        const result = await change.finish(trx, current);
        await queueCharging(trx, current.subscription_id, payments.moment(now()).atProcessor);
        return result;
      });
      if (outcome !== null) return outcome;
      // A newer state than the processor's answer was recorded meanwhile.
      attempt = await beginSubscriptionSync(db, id);
      subscription = await payments.readSubscription(id, claimed.provider_account);
      return null;
    });
  } catch (error) {
    // A claim that cannot be released, with the database away, expires by itself.
    await releaseClaim(db, claim).catch((failure: unknown) =>
      logger.warn(
        { err: failure, subscription: claim.subscriptionId },
        "a claim on a subscription could not be released",
      ),
    );
    throw error;
  }
}

async function claimRow<Row extends LockedRow>(
  db: Kysely<Tables>,
  { lock, action, require, intend }: ProcessorChange<Row>,
) {
  const claimed = await retryWithin(CHANGE_AWAITS_CLAIM_MS, () =>
    db.transaction().execute(async (trx) => {
      const row = await lock(trx);
      const { workspace_id: workspaceId, subscription_id: subscriptionId } = row;
      const claim = await claimSubscription(trx, { workspaceId, subscriptionId, purpose: action });
      if (claim === null) return null;
      // Thrown, so that the claim is undone with the transaction.
      await require(row, trx);
      await intend?.(trx, row);
      return { row, claim };
    }),
  );
  if (claimed === null) throw conflict("CHANGE_UNDER_WAY", { formErrors: [UNDER_WAY] });
  return claimed;
}
