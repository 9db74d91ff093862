import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { conflict, notFound } from "#libs/http/index.ts";
import type { ProviderSubscription } from "#libs/payments/index.ts";
import type { Actor } from "../access/actor.ts";
import { type Claim, releaseClaim, retryWithin, takeClaim } from "../checkout/claims.ts";
import { beginLook, type Look } from "../checkout/subscription-queries.ts";
import { recordSubscription } from "../checkout/subscriptions.ts";
import type { Services } from "../services.ts";
import { untilCurrent } from "../until-current.ts";
import { type AdChange, finishChange } from "./change.ts";
import { type AdRow, lockAd } from "./queries.ts";

/** How long a change waits for another one of the same ad that is asking the processor. */
const AWAIT_CLAIM_MS = 3_000;

const UNDER_WAY = "Another change of this ad is under way.";

/** A change of an ad that the processor has to make first. */
export interface ProcessorChange {
  /** Why it cannot be made; null when it can. */
  readonly refusal: (ad: AdRow) => string | null;
  /** Asks the processor; null where it need not be asked. */
  readonly ask: (ad: AdRow) => Promise<ProviderSubscription> | null;
  /** What changes here beside the subscription. */
  readonly record?: (trx: Transaction<Tables>, ad: AdRow) => Promise<void>;
}

/**
 * Changes an ad by way of the processor, which is asked while no lock and no connection is held:
 *
 *     claim ──409, 404──▶ refused
 *       └─▶ ask ──failed──▶ claim given back, 502, nothing changed
 *             └─▶ record in one transaction, with whatever the processor says by then, and give the claim back
 *
 * A second change of the same ad waits for the first one's claim and is judged by what that left; 409 when that takes
 * too long.
 */
export async function changeAdAtProcessor(
  services: Services,
  actor: Actor,
  target: AdChange,
  { refusal, ask, record }: ProcessorChange,
) {
  const { ad, claim } = await claimAd(services, target, refusal);
  const id = ad.provider_subscription_id;
  try {
    let look: Look = { ...(await beginLook(services.db, id)), noted: ad.sync_version };
    let word = await ask(ad);
    return await untilCurrent(async () => {
      const outcome = await services.db.transaction().execute(async (trx) => {
        const current = await lockAd(trx, target.workspaceId, target.adId);
        if (current === undefined) throw notFound("Ad");
        if (word !== null && current.sync_version !== look.noted) return null;
        // Another change can only have come between when the claim ran out.
        if (!(await releaseClaim(trx, claim))) refuseFor(refusal(current));
        if (word !== null) {
          const { subscription_id, workspace_id: workspaceId } = current;
          await recordSubscription(trx, { id: subscription_id, workspaceId }, word, look);
        }
        await record?.(trx, current);
        return await finishChange(trx, services, actor, target, current);
      });
      if (outcome !== null) return outcome;
      // A look that was taken down meanwhile may have seen more than the processor's answer to us.
      look = await beginLook(services.db, id);
      word = await services.payments.readSubscription(id, ad.provider_account);
      return "outdated";
    });
  } catch (error) {
    await giveBack(services, claim);
    throw error;
  }
}

async function claimAd(
  services: Services,
  { workspaceId, adId }: AdChange,
  refusal: ProcessorChange["refusal"],
): Promise<{ ad: AdRow; claim: Claim }> {
  const claimed = await retryWithin(AWAIT_CLAIM_MS, () =>
    services.db.transaction().execute(async (trx) => {
      const ad = await lockAd(trx, workspaceId, adId);
      if (ad === undefined) throw notFound("Ad");
      const claim = await takeClaim(trx, { workspaceId, subscriptionId: ad.subscription_id });
      if (claim === null) return null;
      // Thrown, so that the claim is undone with the transaction.
      refuseFor(refusal(ad));
      return { ad, claim };
    }),
  );
  return claimed ?? refuseFor(UNDER_WAY);
}

/** A claim that cannot be given back, with the database away, runs out by itself. */
async function giveBack({ db, logger }: Services, claim: Claim): Promise<void> {
  try {
    await releaseClaim(db, claim);
  } catch (error) {
    logger.warn({ err: error, subscription: claim.subscriptionId }, "a claim could not be given back");
  }
}

function refuseFor(reason: string): never;
function refuseFor(reason: string | null): void;
function refuseFor(reason: string | null): void {
  if (reason !== null) throw conflict({ formErrors: [reason] });
}
