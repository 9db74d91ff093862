import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { ProviderSubscription } from "#libs/payments/index.ts";
import { recordChange } from "../audit/record.ts";
import { tellOfBilling } from "../mails/tell-of-billing.ts";
import type { Services } from "../services.ts";
import { settleServing } from "../serving-feed/span.ts";
import { untilCurrent } from "../until-current.ts";
import { upsertAdvertiser } from "./advertisers.ts";
import { claimEnded } from "./claims.ts";
import {
  beginLook,
  findSoldPrice,
  type LockedSubscription,
  type Look,
  lockSubscription,
} from "./subscription-queries.ts";
import { auditedState, stateColumns } from "./subscription-state.ts";

const PROCESSOR = { kind: "processor", name: "Payment processor" } as const;

/** How long a look at the processor waits for somebody's own change of the subscription, which it would find anyway. */
const AWAIT_CLAIM_MS = 2_000;

/** What a look at the processor came to. */
export interface SyncOutcome {
  /** Our id; null for a subscription that was not sold here. */
  readonly subscriptionId: string | null;
  /** Whether anything was written. */
  readonly changed: boolean;
}

/** Writes the processor's word on a subscription that the transaction has locked, from the look with that ticket. */
export async function recordSubscription(
  trx: Transaction<Tables>,
  subscription: { readonly id: string; readonly workspaceId: string },
  provider: ProviderSubscription,
  { ticket }: Pick<Look, "ticket">,
): Promise<void> {
  await trx
    .updateTable("subscriptions")
    .set({ ...stateColumns(provider), sync_version: ticket, updated_at: new Date() })
    .where("workspace_id", "=", subscription.workspaceId)
    .where("id", "=", subscription.id)
    .execute();
}

/**
 * Brings our subscription in line with the processor's: reads what it is now, and creates or updates the advertiser and
 * the subscription. What arrives late, twice or out of order only makes us look again. No connection is held while the
 * processor is asked, so looks overlap; one is written only where none was written since it began, and needs no
 * repetition where one was that began after it. What somebody here is changing is theirs to record, for as long as we can
 * wait for them. Where there is nothing new nothing is recorded. Throws `PaymentsError`.
 */
export async function syncSubscription(
  services: Services,
  providerSubscriptionId: string,
  account: string | null,
): Promise<SyncOutcome> {
  const { db } = services;
  const deadline = performance.now() + AWAIT_CLAIM_MS;
  const timeLeft = () => Math.max(0, deadline - performance.now());
  let first: number | undefined;
  return await untilCurrent(async () => {
    await claimEnded(db, providerSubscriptionId, timeLeft());
    const look = await beginLook(db, providerSubscriptionId);
    first ??= look.ticket;
    const since = first;
    const provider = await services.payments.readSubscription(providerSubscriptionId, account);
    return await db.transaction().execute(async (trx) => {
      const known = await lockSubscription(trx, providerSubscriptionId);
      if (known === undefined) return await insertSubscription(trx, provider, account, look);
      if (known.sync_version > since) return { subscriptionId: known.id, changed: false };
      if (known.sync_version !== look.noted) return "outdated";
      // What we saw may be what a person has just had done, who began after us and has yet to record it as theirs.
      if (known.is_claimed && timeLeft() > 0) return "outdated";
      return await updateSubscription(
        trx,
        services,
        known,
        known.is_erased ? unsaid(provider) : provider,
        look,
      );
    });
  });
}

/** Without what an erased advertiser wrote when they canceled. */
function unsaid(provider: ProviderSubscription): ProviderSubscription {
  return { ...provider, cancellationComment: null, cancellationFeedback: null };
}

async function updateSubscription(
  trx: Transaction<Tables>,
  services: Services,
  known: LockedSubscription,
  provider: ProviderSubscription,
  look: Look,
): Promise<SyncOutcome> {
  const before = auditedState(known);
  const after = auditedState(stateColumns(provider));
  if (JSON.stringify(before) === JSON.stringify(after)) {
    // Also when all is as it was: whoever looked earlier, and saw something else, must not write that now.
    await trx
      .updateTable("subscriptions")
      .set({ sync_version: look.ticket })
      .where("workspace_id", "=", known.workspace_id)
      .where("id", "=", known.id)
      .execute();
    return { subscriptionId: known.id, changed: false };
  }

  await recordSubscription(trx, { id: known.id, workspaceId: known.workspace_id }, provider, look);
  await recordChange(trx, PROCESSOR, {
    workspaceId: known.workspace_id,
    action: "subscription.update",
    resourceId: known.id,
    before,
    after,
  });
  // Looked up only now, under the subscription's lock: an ad submitted while we waited for it is seen.
  const ad = await trx
    .selectFrom("ads")
    .where("workspace_id", "=", known.workspace_id)
    .where("subscription_id", "=", known.id)
    .select("id")
    .forUpdate()
    .executeTakeFirst();
  if (ad !== undefined) await settleServing(trx, ad.id, services.now());
  await tellOfBilling(trx, services, known, provider);
  return { subscriptionId: known.id, changed: true };
}

async function insertSubscription(
  trx: Transaction<Tables>,
  provider: ProviderSubscription,
  account: string | null,
  { ticket }: Look,
): Promise<SyncOutcome | "outdated"> {
  const { workspaceId = "", tierPriceId = "" } = provider.metadata;
  const price = await findSoldPrice(trx, workspaceId, tierPriceId, account);
  if (price === undefined) return { subscriptionId: null, changed: false };
  const advertiserId = await upsertAdvertiser(trx, workspaceId, provider);
  const row = await trx
    .insertInto("subscriptions")
    .values({
      id: newId("subscription"),
      workspace_id: workspaceId,
      advertiser_id: advertiserId,
      tier_id: price.tier_id,
      price_id: price.id,
      provider_subscription_id: provider.id,
      provider_account: account,
      sync_version: ticket,
      ...stateColumns(provider),
    })
    .onConflict((conflict) => conflict.column("provider_subscription_id").doNothing())
    .returningAll()
    .executeTakeFirst();
  // Somebody else was faster, perhaps with a newer word.
  if (row === undefined) return "outdated";
  await recordChange(trx, PROCESSOR, {
    workspaceId,
    action: "subscription.create",
    resourceId: row.id,
    after: { advertiserId, tierId: price.tier_id, tierPriceId: price.id, ...auditedState(row) },
  });
  return { subscriptionId: row.id, changed: true };
}
