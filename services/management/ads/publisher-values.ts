import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Refusal } from "#libs/domain/error-reasons.ts";
import type { FieldRules, FieldValue } from "#libs/domain/field.ts";
import { checkFieldValues } from "#libs/domain/field-values.ts";
import { valueBytes, valuesProblem } from "#libs/domain/value-bytes.ts";
import { invalidInput } from "#libs/http/index.ts";
import type { Payments } from "#libs/payments/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";
import { api, forMembers } from "../api/api.ts";
import { listFieldRules, requireRules, untilRulesHold } from "../catalogue/fields/queries.ts";
import {
  type CreativeContent,
  refuseTooMany,
  separateImages,
  submittedValues,
} from "../media/image-copies/external-images.ts";
import { queueCopies } from "../media/image-copies/queries.ts";
import { findSubmittedImages, holdSubmittedImages } from "../media/uploads/images.ts";
import { releaseReplaced } from "../media/uploads/removal.ts";
import { withinApprovedBytes } from "../snapshots/approved-bytes.ts";
import { finishChange, refuseFor, requireSeen } from "./change.ts";
import { type AdRow, lockAd } from "./queries.ts";

export interface PublisherValuesPorts {
  readonly uploads: Uploads;
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

const REJECTED: Refusal = {
  reason: "AD_REJECTED",
  sentence: "The ad is rejected, so its values can no longer be changed.",
};

/**
 * Sets values of publisher-only fields. They are the publisher's at any time before a rejection, which is final; they do not
 * change the version of the ad, since they are no part of what its advertiser submits.
 */
export const publisherValuesRoutes = (ports: PublisherValuesPorts) => ({
  update: forMembers(api.ads.update, async ({ input, context: { db, access, reply } }) =>
    untilRulesHold(async () => {
      const { adId, meta: values } = input;
      const { workspaceId, actor } = access;
      const rules = await listFieldRules(db, workspaceId);
      const given = checkedContent(rules, values, ports);
      const images = await findSubmittedImages({ ...ports, db }, workspaceId, { rules, meta: given.meta });
      return await db.transaction().execute(async (trx) => {
        const ad = await lockAd(trx, workspaceId, adId);
        refuseFor(ad.status === "Rejected" ? REJECTED : null);
        await requireSeen(trx, reply, ad);
        await holdSubmittedImages(trx, ports.now(), workspaceId, images);
        const after = withValues(ad, values, given);
        refuseTooLarge(rules, ad, after);
        // A field may be shown to visitors later, with all its values.
        await withinApprovedBytes(trx, workspaceId, "ad", () =>
          writeValues(trx, ad, after, new Date(ports.now())),
        );
        await releaseReplaced(trx, ports, workspaceId, rules, { before: ad.meta, after: after.meta });
        await queueCopies(trx, { workspaceId, adId }, given);
        const answer = await finishChange(trx, actor, "ad.update", ad, ports.payments.moment(ports.now()));
        await requireRules(trx, workspaceId, rules);
        return answer;
      });
    }),
  ),
});

function checkedContent(
  rules: readonly FieldRules[],
  values: readonly FieldValue[],
  { uploads, now }: Pick<PublisherValuesPorts, "uploads" | "now">,
) {
  const checked = checkFieldValues(rules, values, "publisher");
  if (!checked.ok) throw invalidInput("INVALID_FIELD_VALUE", { fieldErrors: checked.fieldErrors });
  const content = separateImages(uploads, rules, checked.meta, now());
  refuseTooMany(rules, content);
  return { ...content, meta: { ...content.meta } };
}

/** Throws 422 at the largest of the publisher's values if they have become too large together. */
function refuseTooLarge(rules: readonly FieldRules[], before: CreativeContent, after: CreativeContent): void {
  const ours = new Map(rules.filter((rule) => rule.isPublisherOnly).map(({ id, key }) => [id, key]));
  const own = (content: CreativeContent) =>
    Object.fromEntries(Object.entries(submittedValues(content)).filter(([id]) => ours.has(id)));
  const problem = valuesProblem(own(after));
  // What was too large before there was this limit may shrink.
  if (problem === null || valueBytes(own(after)) <= valueBytes(own(before))) return;
  throw invalidInput("INVALID_FIELD_VALUE", {
    fieldErrors: { [`meta.${ours.get(problem.fieldId)}`]: [problem.sentence] },
  });
}

/** The content of an ad after the mentioned values: those that are given, and nothing where they are empty. */
function withValues(
  ad: CreativeContent,
  mentioned: readonly FieldValue[],
  given: CreativeContent,
): CreativeContent {
  const ids = new Set(mentioned.map(({ fieldId }) => fieldId));
  const others = (values: object) => Object.entries(values).filter(([id]) => !ids.has(id));
  return {
    meta: { ...Object.fromEntries(others(ad.meta)), ...given.meta },
    images_elsewhere: { ...Object.fromEntries(others(ad.images_elsewhere)), ...given.images_elsewhere },
  };
}

async function writeValues(
  trx: Transaction<Tables>,
  ad: AdRow,
  { meta, images_elsewhere }: CreativeContent,
  updated_at: Date,
): Promise<void> {
  await trx
    .updateTable("ads")
    .set({ meta: JSON.stringify(meta), images_elsewhere: JSON.stringify(images_elsewhere), updated_at })
    .where("workspace_id", "=", ad.workspace_id)
    .where("id", "=", ad.id)
    .execute();
}
