import type { Selectable, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { publisherDefaults } from "#libs/domain/field-values.ts";
import { newId } from "#libs/domain/ids.ts";
import { reviewRefusal } from "#libs/domain/review.ts";
import { hasEnded, type SubscriptionStatus } from "#libs/domain/subscription.ts";
import { conflict } from "#libs/http/index.ts";
import { noted, type ProposedCreative, replaceCreative } from "../../ads/creative.ts";
import { auditedCreative } from "../../ads/present.ts";
import { findRevision, putRevision, takeRevision } from "../../ads/revisions/queries.ts";
import { type Change, recordChange } from "../../audit/record.ts";
import { mailSubmission } from "../../mail/to-publisher.ts";
import { separateImages } from "../../media/image-copies/external-images.ts";
import { queueCopies } from "../../media/image-copies/queries.ts";
import { releaseReplaced } from "../../media/uploads/removal.ts";
import { enqueue } from "../../queue/enqueue.ts";
import type { SellingPorts } from "../ports.ts";

const ENDED = "The subscription has ended, so no ad can be submitted for it.";

/** The ad of a purchase. */
export type SubmittedAd = Selectable<Tables["ads"]>;

/** Who submits, for which purchase. */
export interface Buyer {
  readonly subscriptionId: string;
  readonly workspaceId: string;
  readonly advertiserName: string;
  readonly status: SubscriptionStatus;
}

/** Makes the ad of a purchase, replaces its pending content, or opens a revision of it, and tells the publisher. */
export async function writeCreative(
  trx: Transaction<Tables>,
  ports: SellingPorts,
  buyer: Buyer,
  ad: SubmittedAd | undefined,
  creative: ProposedCreative,
  rules: readonly FieldRules[],
): Promise<SubmittedAd> {
  const { subscriptionId, workspaceId } = buyer;
  const tell = (adId: string, isRevision: boolean, isKnownToWait: boolean) => {
    const news = { subscriptionId, workspaceId, adId, name: creative.name, isRevision, isKnownToWait };
    return mailSubmission(trx, ports, news);
  };
  const release = ({ meta: before }: { readonly meta: Record<string, unknown> }) =>
    releaseReplaced(trx, ports, workspaceId, rules, { before, after: creative.meta });

  const refusal = ad === undefined ? null : reviewRefusal("submit", ad.status);
  if (refusal !== null) throw conflict(refusal.reason, { formErrors: [refusal.sentence] });
  if (hasEnded(buyer.status)) throw conflict("SUBSCRIPTION_ENDED", { formErrors: [ENDED] });
  if (ad === undefined) {
    const created = await createAd(trx, ports, buyer, creative, rules);
    await tell(created.id, false, false);
    return created;
  }
  // A note is the publisher's answer to the last submission, so this submission is news again.
  if (ad.status === "Approved") {
    if (isOnAir(ad, creative, rules)) {
      const withdrawn = await withdrawRevision(trx, buyer, ad);
      if (withdrawn !== undefined) await release(withdrawn);
      return ad;
    }
    const open = await proposeRevision(trx, buyer, ad, creative, new Date(ports.now()));
    if (open !== undefined) await release(open);
    await tell(ad.id, true, open !== undefined && open.note === null);
    return ad;
  }
  const replaced = await replacePending(trx, buyer, ad, creative, rules, new Date(ports.now()));
  await release(ad);
  await tell(ad.id, false, ad.rejection_note === null);
  return replaced;
}

/** Makes the ad, with the defaults of publisher-only fields, which its advertiser is not asked for. No snapshot has it before its approval. */
async function createAd(
  trx: Transaction<Tables>,
  { uploads, now }: SellingPorts,
  buyer: Buyer,
  creative: ProposedCreative,
  rules: readonly FieldRules[],
) {
  const { workspaceId } = buyer;
  const ours = separateImages(uploads, rules, publisherDefaults(rules), now());
  const ad = await trx
    .insertInto("ads")
    .values({
      id: newId("ad"),
      workspace_id: workspaceId,
      subscription_id: buyer.subscriptionId,
      name: creative.name,
      website_url: creative.website_url,
      meta: JSON.stringify({ ...ours.meta, ...creative.meta }),
      images_elsewhere: JSON.stringify({ ...ours.images_elsewhere, ...creative.images_elsewhere }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await queueCopies(trx, { workspaceId, adId: ad.id }, ours);
  await recordSubmission(trx, buyer, {
    action: "ad.submit",
    resourceId: ad.id,
    after: { ...auditedCreative(ad), status: ad.status },
  });
  await enqueue(trx, "favicon", { workspaceId, adId: ad.id, attempt: 1 });
  return ad;
}

async function replacePending(
  trx: Transaction<Tables>,
  buyer: Buyer,
  ad: SubmittedAd,
  creative: ProposedCreative,
  rules: readonly FieldRules[],
  now: Date,
) {
  const previous = noted(ad, ad.rejection_note);
  const replaced = await replaceCreative(trx, ad, creative, rules, {
    rejection_note: null,
    version: ad.version + 1,
    submitted_at: now,
    previous: previous === null ? null : JSON.stringify(previous),
  });
  await recordSubmission(trx, buyer, {
    action: "ad.submit",
    resourceId: ad.id,
    before: { ...auditedCreative(ad), rejectionNote: ad.rejection_note },
    after: { ...auditedCreative(replaced), rejectionNote: replaced.rejection_note },
  });
  return replaced;
}

/** Opens a revision and returns the one that it replaces. Serving shows none of it, so its version stays. */
async function proposeRevision(
  trx: Transaction<Tables>,
  buyer: Buyer,
  ad: SubmittedAd,
  creative: ProposedCreative,
  now: Date,
) {
  const before = await findRevision(trx, ad.workspace_id, ad.id);
  const version = await countSubmission(trx, ad);
  const { id: ad_id, workspace_id } = ad;
  const previous = before === undefined ? null : noted(before, before.note);
  await putRevision(trx, { ad_id, workspace_id, ...creative, version, previous, submitted_at: now });
  await recordSubmission(trx, buyer, {
    action: "revision.submit",
    resourceId: ad.id,
    before: before === undefined ? null : { ...auditedCreative(before), note: before.note },
    after: { ...auditedCreative(creative), note: null },
  });
  return before;
}

/** Whether a submission is what the approved ad has already, so that there is nothing to review. */
function isOnAir(ad: SubmittedAd, creative: ProposedCreative, rules: readonly FieldRules[]): boolean {
  const asked = rules.filter(({ isPublisherOnly }) => !isPublisherOnly);
  return (
    ad.name === creative.name &&
    ad.website_url === creative.website_url &&
    Object.keys(creative.images_elsewhere).length === 0 &&
    asked.every(({ id }) => ad.meta[id] === creative.meta[id])
  );
}

/** Takes the open revision back, as its advertiser has returned to the approved content; undefined without one. */
async function withdrawRevision(trx: Transaction<Tables>, buyer: Buyer, ad: SubmittedAd) {
  const open = await takeRevision(trx, ad.workspace_id, ad.id);
  if (open === undefined) return undefined;
  await countSubmission(trx, ad);
  await recordSubmission(trx, buyer, {
    action: "revision.withdraw",
    resourceId: ad.id,
    before: { ...auditedCreative(open), note: open.note },
  });
  return open;
}

/** Counts a submission that leaves the ad itself unchanged, and returns its version. */
async function countSubmission(trx: Transaction<Tables>, ad: SubmittedAd): Promise<number> {
  const version = ad.version + 1;
  await trx
    .updateTable("ads")
    .set({ version })
    .where("workspace_id", "=", ad.workspace_id)
    .where("id", "=", ad.id)
    .execute();
  return version;
}

async function recordSubmission(
  trx: Transaction<Tables>,
  { workspaceId, advertiserName: name }: Buyer,
  change: Omit<Change, "workspaceId">,
): Promise<void> {
  await recordChange(trx, { kind: "advertiser", name }, { workspaceId, ...change });
}
