import { type Kysely, sql, type Transaction } from "kysely";
import { Backoff, pause } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { Change } from "../../audit/record.ts";

/** A claim expires after this long, in milliseconds, unless `whileClaimed` renews it. */
const LEASE_MS = 90_000;
/** A job waits this long for another change of the subscription at the processor. */
const JOB_AWAITS_CLAIM_MS = 3_000;
const RENEWED_EVERY_MS = LEASE_MS / 6;

function leaseEnd() {
  return sql<Date>`now() + ${LEASE_MS} * interval '1 millisecond'`;
}

/** The right to have the processor change a subscription, held by one request at a time over all processes. */
export interface SubscriptionClaim {
  readonly workspaceId: string;
  readonly subscriptionId: string;
  readonly token: string;
}

/** What a claim is for: a change of an ad, or its charges and refunds. */
type ClaimPurpose = Change["action"] | "charging";

/** The changes of a publisher that end a subscription and have a letter of their own. */
const ENDING = ["ad.reject", "subscription.cancel"] as const;

/** Whether a change ends a subscription and has a letter of its own. */
export function endsHere(action: ClaimPurpose): boolean {
  return ENDING.some((ending) => ending === action);
}

/** Selects whether such a change is ending a subscription at the moment. */
export const IS_ENDED_HERE = sql<boolean>`coalesce(claimed_until > now() and split_part(claim, ':', 1) in (${sql.join(ENDING.map((ending) => sql.lit(ending)))}), false)`;

/** Claims a subscription that the transaction has locked; null while another request holds it. */
export async function claimSubscription(
  trx: Transaction<Tables>,
  {
    workspaceId,
    subscriptionId,
    purpose,
  }: Omit<SubscriptionClaim, "token"> & { readonly purpose: ClaimPurpose },
): Promise<SubscriptionClaim | null> {
  const token = `${purpose}:${crypto.randomUUID()}`;
  const taken = await trx
    .updateTable("subscriptions")
    .set({ claim: token, claimed_until: leaseEnd() })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", subscriptionId)
    .where((where) => where.or([where("claim", "is", null), where("claimed_until", "<=", sql<Date>`now()`)]))
    .returning("id")
    .executeTakeFirst();
  return taken === undefined ? null : { workspaceId, subscriptionId, token };
}

/** Holds a claim for the whole time again; returns whether it was still held. */
export async function renewClaim(db: Kysely<Tables>, claim: SubscriptionClaim): Promise<boolean> {
  const renewed = await db
    .updateTable("subscriptions")
    .set({ claimed_until: leaseEnd() })
    .where("workspace_id", "=", claim.workspaceId)
    .where("id", "=", claim.subscriptionId)
    .where("claim", "=", claim.token)
    .returning("id")
    .executeTakeFirst();
  return renewed !== undefined;
}

/**
 * Renews a claim while `work` runs, however many calls to the processor it makes. Only a process that is dead or stands still, or has no
 * database, for the whole lease loses it: `work` asks `renewClaim` before a step that must not be taken twice.
 */
export async function whileClaimed<T>(
  db: Kysely<Tables>,
  claim: SubscriptionClaim,
  work: () => Promise<T>,
): Promise<T> {
  // A renewal that fails is made up for by the next one.
  const renewal = setInterval(() => void renewClaim(db, claim).catch(() => false), RENEWED_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Does a job's work at the processor under a claim. `find` reads what there is to do, in the transaction that claims; undefined ends it.
 * Throws if another change is under way for long: the job is tried again. `work` calls `stillMine` before a step that must not be taken
 * twice. Returns what was found.
 */
export async function underClaim<Row extends { readonly workspace_id: string }>(
  db: Kysely<Tables>,
  subscriptionId: string,
  find: (trx: Transaction<Tables>) => Promise<Row | undefined>,
  work: (row: Row, stillMine: () => Promise<void>) => Promise<void>,
): Promise<Row | undefined> {
  const claimed = await retryWithin(JOB_AWAITS_CLAIM_MS, () =>
    db.transaction().execute(async (trx) => {
      const row = await find(trx);
      if (row === undefined) return { row, claim: undefined };
      const of = { workspaceId: row.workspace_id, subscriptionId, purpose: "charging" } as const;
      const claim = await claimSubscription(trx, of);
      return claim === null ? null : { row, claim };
    }),
  );
  const underWay = new Error(`Another change of subscription ${subscriptionId} is under way.`);
  if (claimed === null) throw underWay;
  if (claimed.claim === undefined) return undefined;
  const { row, claim } = claimed;
  try {
    await whileClaimed(db, claim, () =>
      work(row, async () => {
        if (!(await renewClaim(db, claim))) throw underWay;
      }),
    );
  } finally {
    await releaseClaim(db, claim);
  }
  return row;
}

/** Releases a claim; returns whether it was still held. */
export async function releaseClaim(db: Kysely<Tables>, claim: SubscriptionClaim): Promise<boolean> {
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

/** Resolves once nobody claims the subscription with the processor's id, or after `withinMs`. */
export async function claimEnded(
  db: Kysely<Tables>,
  processorSubscriptionId: string,
  withinMs: number,
): Promise<void> {
  await retryWithin(withinMs, async () => {
    const claimed = await db
      .selectFrom("subscriptions")
      .where("provider_subscription_id", "=", processorSubscriptionId)
      .where("claimed_until", ">", sql<Date>`now()`)
      .select("id")
      .executeTakeFirst();
    return claimed === undefined ? true : null;
  });
}

/** Repeats an attempt that returns null, with growing pauses that hold no connection; null after `withinMs`. */
export async function retryWithin<T>(withinMs: number, attempt: () => Promise<T | null>): Promise<T | null> {
  const deadline = performance.now() + withinMs;
  const backoff = new Backoff({ firstMs: 10, longestMs: 200 });
  for (;;) {
    const outcome = await attempt();
    const pauseMs = backoff.next();
    if (outcome !== null || performance.now() + pauseMs > deadline) return outcome;
    await pause(pauseMs);
  }
}
