import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules, FieldValue } from "#libs/domain/field.ts";
import { checkFieldValues } from "#libs/domain/field-values.ts";
import { type AddressKey, conflict, invalidInput } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { ProposedCreative } from "../../ads/creative.ts";
import { lockBuyer, lockSubmittedAd } from "../../billing/checkout/queries.ts";
import { currentCheckout, unpaid } from "../../billing/checkout/sessions.ts";
import { listFieldRules, requireRules, untilRulesHold } from "../../catalogue/fields/queries.ts";
import {
  type CreativeContent,
  refuseTooMany,
  separateImages,
} from "../../media/image-copies/external-images.ts";
import { queueCopies } from "../../media/image-copies/queries.ts";
import { findSubmittedImages, holdSubmittedImages } from "../../media/uploads/images.ts";
import { isPaidFor } from "../../store/paid-for.ts";
import { inLineOf } from "../../store/row-lines.ts";
import { inWorkspace, type SellingPorts } from "../ports.ts";
import { takeFreeShare } from "./free-share.ts";
import { type Buyer, type SubmittedAd, writeCreative } from "./submitted-ad.ts";

/** How often one purchase may submit. The audit log keeps what each submission changed, up to 64 KiB, for years. */
const SUBMISSION_RATE: RateRule = {
  name: "submissions-of-purchase",
  points: 50,
  durationSeconds: 24 * 60 * 60,
};
const TOO_OFTEN = `An ad can be submitted ${SUBMISSION_RATE.points} times a day. Try again tomorrow.`;

export interface Submission {
  readonly name: string;
  readonly websiteUrl: string;
  readonly meta: readonly FieldValue[];
}

/**
 * Takes the ad content of a paid checkout. The first submission makes the ad, Pending; one for a pending ad replaces its
 * content; one for an approved ad opens a revision and leaves the ad unchanged. Returns the ad. Throws 404 for an unknown
 * session, 409 before payment, after a rejection or the end, and beyond 50 times a day, 422 for values that break a field's rules, 429 if
 * nothing was paid and the network has had its share of the workspace's room.
 */
export async function submitAd(
  ports: SellingPorts,
  sessionId: string,
  submission: Submission,
  network: AddressKey,
): Promise<SubmittedAd> {
  const session = await currentCheckout(ports, sessionId);
  const { subscription_id: subscriptionId, workspace_id: workspaceId } = session;
  if (subscriptionId === null) {
    throw unpaid(session, "The ad can be submitted");
  }
  const own = inWorkspace(ports, workspaceId);
  return await untilRulesHold(async () => {
    const rules = await listFieldRules(own.db, workspaceId);
    const content = await checkContent(own, subscriptionId, rules, submission.meta);
    const images = await findSubmittedImages(own, workspaceId, { rules, meta: content.meta });
    await countCopies(own, { subscriptionId, workspaceId }, content, network);
    const creative = { name: submission.name, website_url: submission.websiteUrl, ...content };
    return await inLineOf(workspaceId, () =>
      own.db
        .transaction()
        .execute((trx) =>
          writeSubmission(trx, own, { subscriptionId, workspaceId }, { rules, creative, images }),
        ),
    );
  });
}

/** The values as they are stored. Counts the submission if they obey the rules; throws before its images are looked at. */
async function checkContent(
  { uploads, limits, now }: SellingPorts,
  subscriptionId: string,
  rules: readonly FieldRules[],
  values: readonly FieldValue[],
): Promise<CreativeContent> {
  const checked = checkFieldValues(rules, values, "advertiser");
  if (!checked.ok) throw invalidInput("INVALID_FIELD_VALUE", { fieldErrors: checked.fieldErrors });
  const content = separateImages(uploads, rules, checked.meta, now());
  refuseTooMany(rules, content);
  const { allowed } = await limits.consume(SUBMISSION_RATE, subscriptionId);
  if (!allowed) throw conflict("LIMIT_REACHED", { formErrors: [TOO_OFTEN] });
  return content;
}

/** Counts the images to be copied, unless something was paid. Throws 429. */
async function countCopies(
  ports: SellingPorts,
  { subscriptionId, workspaceId }: Pick<Buyer, "subscriptionId" | "workspaceId">,
  { images_elsewhere }: CreativeContent,
  network: AddressKey,
): Promise<void> {
  const files = Object.keys(images_elsewhere).length;
  if (files === 0 || (await isPaidFor(ports.db, workspaceId, subscriptionId))) return;
  await takeFreeShare(ports, workspaceId, network, { bytes: ports.uploads.maxBytes, files });
}

interface CheckedSubmission {
  readonly rules: readonly FieldRules[];
  readonly creative: ProposedCreative;
  readonly images: Awaited<ReturnType<typeof findSubmittedImages>>;
}

async function writeSubmission(
  trx: Transaction<Tables>,
  ports: SellingPorts,
  { subscriptionId, workspaceId }: Pick<Buyer, "subscriptionId" | "workspaceId">,
  { rules, creative, images }: CheckedSubmission,
): Promise<SubmittedAd> {
  // Before an ad exists, the subscription's row is the lock that two submissions share.
  const buyer: Buyer = { subscriptionId, workspaceId, ...(await lockBuyer(trx, subscriptionId)) };
  const ad = await lockSubmittedAd(trx, subscriptionId);
  await holdSubmittedImages(trx, ports.now(), workspaceId, images);
  const written = await writeCreative(trx, ports, buyer, ad, creative, rules);
  await queueCopies(trx, { workspaceId, adId: written.id }, creative);
  await requireRules(trx, workspaceId, rules);
  return written;
}
