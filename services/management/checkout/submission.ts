import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldValue } from "#libs/domain/field.ts";
import { checkFieldValues } from "#libs/domain/field-values.ts";
import { newId } from "#libs/domain/ids.ts";
import { reviewRefusal } from "#libs/domain/review.ts";
import { conflict, invalidInput } from "#libs/http/index.ts";
import { listFieldRules } from "../fields/queries.ts";
import type { Services } from "../services.ts";
import { announceChange } from "../serving-feed/version.ts";
import { type CheckoutRow, currentCheckout } from "./sessions.ts";

export interface Submission {
  readonly name: string;
  readonly websiteUrl: string;
  readonly meta: readonly FieldValue[];
}

/**
 * Takes the ad that was paid for: creates it as Pending, or replaces it while it is. 404 for an unknown session, 409
 * before payment and after a rejection, 422 for values that break a field's rules.
 */
export async function submitAd(services: Services, sessionId: string, submission: Submission) {
  const session = await currentCheckout(services, sessionId);
  const { subscription_id: subscriptionId } = session;
  if (subscriptionId === null) {
    throw conflict({ formErrors: ["The ad can be submitted once the checkout is paid."] });
  }
  return await services.db.transaction().execute(async (trx) => {
    const rules = await listFieldRules(trx, session.workspace_id);
    const checked = checkFieldValues(rules, submission.meta, "advertiser");
    if (!checked.ok) throw invalidInput({ fieldErrors: checked.fieldErrors });
    // The subscription's row is what two submissions of a first ad can meet on.
    await trx
      .selectFrom("subscriptions")
      .where("id", "=", subscriptionId)
      .select("id")
      .forUpdate()
      .executeTakeFirstOrThrow();
    const publishersFields = rules.filter((rule) => rule.isPublisherOnly).map(({ id }) => id);
    const ad = await writeAd(trx, session, subscriptionId, submission, checked.meta, publishersFields);
    await announceChange(trx, session.workspace_id);
    return ad;
  });
}

async function writeAd(
  trx: Transaction<Tables>,
  session: CheckoutRow,
  subscriptionId: string,
  submission: Submission,
  meta: Readonly<Record<string, unknown>>,
  publishersFields: readonly string[],
) {
  const existing = await findSubmittedAd(trx, subscriptionId);
  const creative = {
    name: submission.name,
    website_url: submission.websiteUrl,
    meta: JSON.stringify({ ...pick(existing?.meta ?? {}, publishersFields), ...meta }),
  };
  if (existing === undefined) {
    return await trx
      .insertInto("ads")
      .values({
        id: newId("ad"),
        workspace_id: session.workspace_id,
        subscription_id: subscriptionId,
        ...creative,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const refusal = reviewRefusal("submit", existing.status);
  if (refusal !== null) throw conflict({ formErrors: [refusal] });
  return await trx
    .updateTable("ads")
    .set({ ...creative, rejection_note: null, updated_at: new Date() })
    .where("id", "=", existing.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The ad of a subscription, locked; undefined before the first submission. */
async function findSubmittedAd(trx: Transaction<Tables>, subscriptionId: string) {
  return await trx
    .selectFrom("ads")
    .where("subscription_id", "=", subscriptionId)
    .select(["id", "status", "meta"])
    .forUpdate()
    .executeTakeFirst();
}

/** What the publisher has filled in, which an advertiser's submission neither sees nor replaces. */
function pick(meta: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => keys.includes(key)));
}
