import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { removeInSteps } from "../../store/remove-in-steps.ts";

/** How long an answer is kept. */
const KEPT_MS = 24 * 60 * 60_000;
/** A request under way for longer is dead: its process was killed. A repetition may proceed. */
const DEAD_AFTER_MS = 60_000;

/** A request that carries an `Idempotency-Key`. */
export interface KeyedRequest {
  /** Whose key it is, and the endpoint: keys of different callers and at different endpoints are separate. */
  readonly caller: string;
  readonly key: string;
  /** SHA-256 of the request. */
  readonly hash: Buffer;
}

/** The right to answer a request, taken at an instant; it passes to a repetition when it is not used within a minute. */
export interface Claim extends KeyedRequest {
  readonly claimedAt: Date;
}

export type ClaimOutcome =
  | { readonly kind: "claimed"; readonly claim: Claim }
  /** The first request with this key is being answered. */
  | { readonly kind: "under-way" }
  /** The key was used for something else. */
  | { readonly kind: "other-request" }
  /** The body is null where it was not kept. */
  | { readonly kind: "answered"; readonly status: number; readonly body: string | null };

/** Claims a key for one request, or returns the outcome of the earlier one. Of several at once exactly one claims. */
export async function claimKey(
  db: Kysely<Tables>,
  request: KeyedRequest,
  now: number,
): Promise<ClaimOutcome> {
  const { caller, key, hash } = request;
  const claimedAt = new Date(now);
  const claimed = await db
    .insertInto("idempotency_keys")
    .values({ caller, key, request_hash: hash, created_at: claimedAt })
    .onConflict((conflict) =>
      conflict
        .columns(["caller", "key"])
        .doUpdateSet({ request_hash: hash, status: null, body: null, created_at: claimedAt })
        .where((where) =>
          where.or([
            where("idempotency_keys.created_at", "<=", new Date(now - KEPT_MS)),
            where.and([
              where("idempotency_keys.status", "is", null),
              where("idempotency_keys.created_at", "<=", new Date(now - DEAD_AFTER_MS)),
              where("idempotency_keys.request_hash", "=", hash),
            ]),
          ]),
        ),
    )
    .returning("caller")
    .executeTakeFirst();
  if (claimed !== undefined) return { kind: "claimed", claim: { ...request, claimedAt } };

  const row = await db
    .selectFrom("idempotency_keys")
    .where("caller", "=", caller)
    .where("key", "=", key)
    .select(["request_hash", "status", "body"])
    .executeTakeFirst();
  // Gone meanwhile: the first request has just failed.
  if (row === undefined) return { kind: "under-way" };
  if (!row.request_hash.equals(hash)) return { kind: "other-request" };
  if (row.status === null) return { kind: "under-way" };
  return { kind: "answered", status: row.status, body: row.body };
}

/**
 * The idempotency key of what a request makes at the payment processor: the same in all repetitions of the request, also of one
 * that failed. Without a key of the caller's each request is an intent of its own.
 */
export function intentOf(claim: KeyedRequest | null): string {
  if (claim === null) return crypto.randomUUID();
  const { caller, key, hash } = claim;
  return createHash("sha256")
    .update(JSON.stringify([caller, key]))
    .update(hash)
    .digest("base64url");
}

/** Keeps the answer for repetitions, with or without its body. Does nothing when the claim has passed to one. */
export async function keepAnswer(
  db: Kysely<Tables>,
  claim: Claim,
  answer: { readonly status: number; readonly body: string | null },
): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set(answer)
    .where("caller", "=", claim.caller)
    .where("key", "=", claim.key)
    .where("created_at", "=", claim.claimedAt)
    .where("status", "is", null)
    .execute();
}

/** Releases the claim, so that a repetition is processed again. */
export async function releaseKey(db: Kysely<Tables>, claim: Claim): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("caller", "=", claim.caller)
    .where("key", "=", claim.key)
    .where("created_at", "=", claim.claimedAt)
    .where("status", "is", null)
    .execute();
}

/** Deletes answers past their time, some thousands at a time: a person may have some hundred thousand kept in a day. */
export async function forgetOldAnswers(db: Kysely<Tables>, now: Date): Promise<void> {
  await removeInSteps(db, "idempotency_keys", sql`created_at <= ${new Date(now.getTime() - KEPT_MS)}`);
}
