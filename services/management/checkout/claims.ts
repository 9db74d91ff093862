import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/**
 * How long a claim is believed, in milliseconds: longer than the processor can keep us waiting, attempts and pauses
 * included, so that it only runs out when the claimant was killed.
 */
const LEASE_MS = 90_000;

/** Between two looks at a claim, in milliseconds: the first pause, doubled each time up to the longest. */
const PAUSES = { first: 10, longest: 200 };

/** The right to have the processor change a subscription, held by one call at a time over all processes. */
export interface Claim extends ClaimedSubscription {
  readonly token: string;
}

export interface ClaimedSubscription {
  readonly workspaceId: string;
  readonly subscriptionId: string;
}

/** Claims a subscription that the transaction has locked; null while another call holds it. */
export async function takeClaim(
  trx: Transaction<Tables>,
  { workspaceId, subscriptionId }: ClaimedSubscription,
): Promise<Claim | null> {
  const token = crypto.randomUUID();
  const taken = await trx
    .updateTable("subscriptions")
    .set({ claim: token, claimed_until: sql<Date>`now() + ${LEASE_MS} * interval '1 millisecond'` })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", subscriptionId)
    .where((where) => where.or([where("claim", "is", null), where("claimed_until", "<=", sql<Date>`now()`)]))
    .returning("id")
    .executeTakeFirst();
  return taken === undefined ? null : { workspaceId, subscriptionId, token };
}

/** Gives a claim back; says whether it was still held. */
export async function releaseClaim(db: Kysely<Tables>, claim: Claim): Promise<boolean> {
  const released = await db
    .updateTable("subscriptions")
    .set({ claim: null, claimed_until: null })
    .where("workspace_id", "=", claim.workspaceId)
    .where("id", "=", claim.subscriptionId)
    .where("claim", "=", claim.token)
    .returning("id")
    .executeTakeFirst();
  return released !== undefined;
}

/** Resolves when nobody claims the subscription with the processor's id, or after so many milliseconds. */
export async function claimEnded(
  db: Kysely<Tables>,
  providerSubscriptionId: string,
  withinMs: number,
): Promise<void> {
  await retryWithin(withinMs, async () => {
    const claimed = await db
      .selectFrom("subscriptions")
      .where("provider_subscription_id", "=", providerSubscriptionId)
      .where("claimed_until", ">", sql<Date>`now()`)
      .select("id")
      .executeTakeFirst();
    return claimed === undefined ? true : null;
  });
}

/** Tries until it comes to something, with growing pauses that hold no connection; null when time is up. */
export async function retryWithin<T>(withinMs: number, attempt: () => Promise<T | null>): Promise<T | null> {
  const deadline = performance.now() + withinMs;
  for (let pause = PAUSES.first; ; pause = Math.min(2 * pause, PAUSES.longest)) {
    const outcome = await attempt();
    if (outcome !== null || performance.now() + pause > deadline) return outcome;
    await delay(pause);
  }
}
