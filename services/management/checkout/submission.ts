import type { Selectable, Transaction } from "kysely";
import type { AdsTable, Tables } from "#libs/database/tables.ts";
import type { FieldRules, FieldValue } from "#libs/domain/field.ts";
import { checkFieldValues } from "#libs/domain/field-values.ts";
import { newId } from "#libs/domain/ids.ts";
import { reviewRefusal } from "#libs/domain/review.ts";
import { conflict, invalidInput } from "#libs/http/index.ts";
import { type ProposedCreative, replaceCreative } from "../ads/creative.ts";
import { auditedCreative } from "../ads/facts.ts";
import { recordChange } from "../audit/record.ts";
import { queueFavicon } from "../favicons/queue.ts";
import { listFieldRules } from "../fields/queries.ts";
import { refuseTooMany, separateImages } from "../image-copies/elsewhere.ts";
import { queueCopies } from "../image-copies/queue.ts";
import { type SubmittedCreative, tellOfSubmission } from "../mails/tell-of-submission.ts";
import { findRevision, putRevision, type RevisionRow } from "../revisions/queries.ts";
import { inWorkspace, type Services } from "../services.ts";
import { announceChange } from "../serving-feed/version.ts";
import { releaseReplaced } from "../uploads/replaced.ts";
import { findSubmittedImages, holdSubmittedImages } from "../uploads/submitted.ts";
import { requireRules, untilRulesHold } from "./field-rules.ts";
import { lockBuyer, lockSubmittedAd } from "./queries.ts";
import { currentCheckout, whyUnpaid } from "./sessions.ts";

export interface Submission {
  readonly name: string;
  readonly websiteUrl: string;
  readonly meta: readonly FieldValue[];
}

type SubmittedAd = Selectable<AdsTable>;

interface Buyer {
  readonly subscriptionId: string;
  readonly workspaceId: string;
  readonly advertiserName: string;
}

/**
 * Takes a creative from the one who paid for it. The first makes the ad, Pending; one for a pending ad replaces it; one
 * for an approved ad opens a revision and leaves the ad as it is. Returns the ad. 404 for an unknown session, 409
 * before payment and after a rejection, 422 for values that break a field's rules.
 */
export async function submitAd(
  services: Services,
  sessionId: string,
  submission: Submission,
): Promise<SubmittedAd> {
  const session = await currentCheckout(services, sessionId);
  const { subscription_id: subscriptionId, workspace_id: workspaceId } = session;
  if (subscriptionId === null)
    throw conflict({ formErrors: [whyUnpaid(session, "The ad can be submitted")] });

  const own = inWorkspace(services, workspaceId);
  const attempt = async () => {
    const images = await findSubmittedImages(own, workspaceId, submission.meta);
    return await own.db.transaction().execute((trx) => {
      return writeSubmission(trx, own, { subscriptionId, workspaceId }, submission, images);
    });
  };
  return await untilRulesHold(attempt);
}

async function writeSubmission(
  trx: Transaction<Tables>,
  services: Services,
  { subscriptionId, workspaceId }: Pick<Buyer, "subscriptionId" | "workspaceId">,
  submission: Submission,
  images: ReadonlySet<string>,
): Promise<SubmittedAd> {
  const rules = await listFieldRules(trx, workspaceId);
  const checked = checkFieldValues(rules, submission.meta, "advertiser");
  if (!checked.ok) throw invalidInput({ fieldErrors: checked.fieldErrors });
  const content = separateImages(services.uploads, rules, checked.meta, services.now());
  refuseTooMany(rules, content);
  const creative = { name: submission.name, website_url: submission.websiteUrl, ...content };

  // The subscription's row is what two submissions of a first ad can meet on.
  const advertiserName = await lockBuyer(trx, subscriptionId);
  const buyer: Buyer = { subscriptionId, workspaceId, advertiserName };
  const ad = await lockSubmittedAd(trx, subscriptionId);
  await holdSubmittedImages(trx, services, workspaceId, { rules, meta: checked.meta }, images);
  const written = await writeCreative(trx, services, buyer, ad, creative, rules);
  await queueCopies(trx, workspaceId, content);
  await requireRules(trx, workspaceId, rules);
  return written;
}

async function writeCreative(
  trx: Transaction<Tables>,
  services: Services,
  buyer: Buyer,
  ad: SubmittedAd | undefined,
  creative: ProposedCreative,
  rules: readonly FieldRules[],
): Promise<SubmittedAd> {
  const tell = (adId: string, news: Pick<SubmittedCreative, "isRevision" | "isKnownToWait">) =>
    tellOfSubmission(trx, services, { ...buyer, adId, name: creative.name, ...news });
  const release = ({ meta }: { readonly meta: Record<string, unknown> }) =>
    releaseReplaced(trx, services, buyer.workspaceId, rules, { before: meta, after: creative.meta });
  if (ad === undefined) {
    const created = await createAd(trx, buyer, creative);
    await tell(created.id, { isRevision: false, isKnownToWait: false });
    return created;
  }
  const refusal = reviewRefusal("submit", ad.status);
  if (refusal !== null) throw conflict({ formErrors: [refusal] });
  // A note is the publisher's answer to the last submission, so this one is news again.
  if (ad.status === "Approved") {
    const open = await proposeRevision(trx, buyer, ad, creative, new Date(services.now()));
    if (open !== undefined) await release(open);
    await tell(ad.id, { isRevision: true, isKnownToWait: open !== undefined && open.note === null });
    return ad;
  }
  const replaced = await replacePending(trx, buyer, ad, creative, rules);
  await release(ad);
  await tell(ad.id, { isRevision: false, isKnownToWait: ad.rejection_note === null });
  return replaced;
}

async function createAd(trx: Transaction<Tables>, buyer: Buyer, creative: ProposedCreative) {
  const ad = await trx
    .insertInto("ads")
    .values({
      id: newId("ad"),
      workspace_id: buyer.workspaceId,
      subscription_id: buyer.subscriptionId,
      name: creative.name,
      website_url: creative.website_url,
      meta: JSON.stringify(creative.meta),
      images_elsewhere: JSON.stringify(creative.images_elsewhere),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordSubmission(trx, buyer, "ad.submit", ad.id, null, { ...auditedCreative(ad), status: ad.status });
  await queueFavicon(trx, { workspaceId: buyer.workspaceId, adId: ad.id });
  await announceChange(trx, buyer.workspaceId);
  return ad;
}

async function replacePending(
  trx: Transaction<Tables>,
  buyer: Buyer,
  ad: SubmittedAd,
  creative: ProposedCreative,
  rules: readonly FieldRules[],
) {
  const replaced = await replaceCreative(trx, ad, creative, rules, { rejection_note: null });
  await recordSubmission(
    trx,
    buyer,
    "ad.submit",
    ad.id,
    { ...auditedCreative(ad), rejectionNote: ad.rejection_note },
    { ...auditedCreative(replaced), rejectionNote: replaced.rejection_note },
  );
  await announceChange(trx, buyer.workspaceId);
  return replaced;
}

/** Opens a revision and returns the one that it replaces. Nothing that serving shows changes here, so it is not told. */
async function proposeRevision(
  trx: Transaction<Tables>,
  buyer: Buyer,
  ad: SubmittedAd,
  creative: ProposedCreative,
  now: Date,
): Promise<RevisionRow | undefined> {
  const before = await findRevision(trx, ad.workspace_id, ad.id);
  await putRevision(trx, { ad_id: ad.id, workspace_id: ad.workspace_id, ...creative, submitted_at: now });
  await recordSubmission(
    trx,
    buyer,
    "revision.submit",
    ad.id,
    before === undefined ? null : { ...auditedCreative(before), note: before.note },
    { ...auditedCreative(creative), note: null },
  );
  return before;
}

async function recordSubmission(
  trx: Transaction<Tables>,
  buyer: Buyer,
  action: "ad.submit" | "revision.submit",
  resourceId: string,
  before: Parameters<typeof recordChange>[2]["before"],
  after: Parameters<typeof recordChange>[2]["after"],
): Promise<void> {
  const actor = { kind: "advertiser" as const, name: buyer.advertiserName };
  await recordChange(trx, actor, {
    workspaceId: buyer.workspaceId,
    action,
    resourceId,
    before: before ?? null,
    after: after ?? null,
  });
}
