import { z } from "zod";
import { LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { MOST } from "#libs/domain/limits.ts";
import { AD_ORDERS } from "#libs/domain/list-orders.ts";
import { AD_STATUSES } from "#libs/domain/review.ts";
import { ad, adInList, adStats, adTraffic, eligibility, purchaser } from "./ad.ts";
import { submittedValue } from "./checkout.ts";
import { CSV_FORMAT, csvFile } from "./csv-file.ts";
import { memberApi } from "./errors.ts";
import { price } from "./price.ts";
import { clientReference, days, ids, pageOf, paging, subscriptionFilter, updatedSince } from "./query.ts";
import { DECISION, seen } from "./seen.ts";
import { id, note, text, timestamp, whole } from "./text.ts";

const inWorkspace = z.object({ workspaceId: z.string() });
const oneAd = inWorkspace.extend({ adId: z.string() });

const reviewKind = z.enum(["ad", "revision"]);

/** A new ad or an edit that waits for a decision. */
const toReview = z.object({
  kind: reviewKind.meta({ description: "`revision` is an edit of an ad that is approved." }),
  adId: id("ad_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string(),
  websiteUrl: z.string(),
  faviconUrl: z.string().nullable(),
  submittedAt: timestamp,
  isResubmission: z.boolean().meta({ description: "Whether it follows requested changes." }),
  tier: z.object({ id: z.string(), name: z.string(), weight: z.number() }),
  tierPrice: price,
  advertiser: purchaser,
});
export type ToReview = z.output<typeof toReview>;

/** Which ads are meant; all of them where nothing is said. */
const filters = {
  status: z.enum(AD_STATUSES).optional(),
  query: text(LONGEST_EMAIL, {
    description:
      "Part of the ad's name or of the first 200 characters of its address, or of the advertiser's name or email address, in upper or lower case. Blank: all.",
  }).optional(),
  tierId: z.string().optional(),
  advertiserId: z.string().optional(),
  clientReference,
  serving: z
    .enum(["yes", "no"])
    .optional()
    .meta({ description: "Only ads that are served now, or only those that are not." }),
  subscription: subscriptionFilter,
  ids,
  updatedSince: updatedSince(
    "the ad, its subscription, or its advertiser, who may be erased; not counts, and not the tier or price, which have lists of their own",
  ),
};

export const adsContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads",
      tags: ["Ads"],
      summary: "List ads",
      description: "Newest first by default.",
    })
    .input(
      inWorkspace.extend({
        ...filters,
        include: z.literal("meta").optional().meta({
          description:
            "`meta` adds each ad's field values. A page then has fewer ads than `perPage` where they would take over 1 MiB, and always the first: go on with `nextCursor`. Not with `page`, nor in an order by counts.",
        }),
        stats: z.enum(["none", "last30Days"]).default("none").meta({
          description: "`last30Days` adds each ad's impressions and clicks of the last 30 days.",
        }),
        sort: z.enum(AD_ORDERS).default("newest").meta({
          description:
            "`tier` has the heaviest tier first, and the newest ad of each. `impressions`, `clicks` and `ctr` are those of the last 30 days, the highest first, and add `last30Days`; only the 10,000 highest are in order. While stats are unavailable the newest come first.",
        }),
        ...paging,
      }),
    )
    .output(pageOf(adInList)),
  export: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads.csv",
      tags: ["Ads"],
      summary: "Download ads as CSV",
      description: `All ads that match the filters, newest first, with a column \`meta.<key>\` for each field: ${CSV_FORMAT}`,
    })
    .input(inWorkspace.extend(filters))
    .output(csvFile),
  toReview: memberApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/review-queue",
      tags: ["Ads"],
      summary: "List what awaits review",
      description:
        "New ads and edits of live ads, the longest wait first. One with requested changes awaits its advertiser, and one whose subscription has ended can no longer be shown: neither is listed.",
    })
    .input(
      inWorkspace.extend({
        kind: reviewKind.optional().meta({ description: "Only new ads, or only edits." }),
        tierId: z.string().optional(),
        ...paging,
      }),
    )
    .output(
      pageOf(toReview).extend({
        ads: whole.meta({ description: "The number of new ads, whatever the filters.", examples: [2] }),
        revisions: whole.meta({ description: "The number of edits, whatever the filters.", examples: [1] }),
      }),
    ),
  get: memberApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}",
      tags: ["Ads"],
      summary: "Get an ad",
      description:
        "With its field values, and while it is new with the submission that changes were requested of.",
    })
    .input(oneAd)
    .output(ad),
  update: memberApi("Manager")
    .meta({ isTagged: true, takesIfMatch: true })
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}/ads/{adId}",
      tags: ["Ads"],
      summary: "Set the publisher's own values of an ad",
      description:
        "Values of publisher-only fields; those that are not mentioned stay, null or no value empties one. A 422 at `meta.<key>` for a field of the advertiser's and for a value that the field does not take, a 409 once the ad is rejected.",
    })
    .input(oneAd.extend({ meta: z.array(submittedValue).max(MOST.values).default([]) }))
    .output(ad),
  approve: memberApi("Manager")
    .meta(DECISION)
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/approve",
      tags: ["Ads"],
      summary: "Approve a pending ad",
      description:
        "The ad is served within a second while its subscription is active. An approval after the first period or the trial has ended begins a period and charges it; the ad is served once that is done. A 409 if the approved ads of the workspace would take over 16 MiB together; a 409 at `meta.<key>` if an uploaded image is missing, damaged, too large or of another type than declared, or if an image from another site has not been copied yet.",
    })
    .input(oneAd.extend(seen))
    .output(ad),
  reject: memberApi("Manager")
    .meta({ ...DECISION, callsProcessor: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/reject",
      tags: ["Ads"],
      summary: "Reject an ad and cancel its subscription",
      description:
        "Final: the ad takes no further submission. An open revision goes with it. With `refund`, an ad that never ran gets everything back that was paid, and one that ran the unused part of the current period, by seconds.",
    })
    .input(
      oneAd.extend({
        note,
        refund: z
          .boolean()
          .default(false)
          .meta({ description: "Whether the advertiser gets the money back." }),
        ...seen,
      }),
    )
    .output(ad),
  requestChanges: memberApi("Manager")
    .meta(DECISION)
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/request-changes",
      tags: ["Ads"],
      summary: "Ask the advertiser of a pending ad for changes",
      description: "The ad stays pending with the note, until a new submission replaces both.",
    })
    .input(oneAd.extend({ note, ...seen }))
    .output(ad),
  pause: memberApi("Manager")
    .meta({ idempotent: true, callsProcessor: true, takesIfMatch: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/pause",
      tags: ["Ads"],
      summary: "Pause a serving ad and its billing",
      description:
        "The ad goes off the air at once. The time of its period stands still, and nothing is charged until it is resumed.",
    })
    .input(oneAd)
    .output(ad),
  resume: memberApi("Manager")
    .meta({ idempotent: true, callsProcessor: true, takesIfMatch: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/resume",
      tags: ["Ads"],
      summary: "Resume a paused ad",
      description:
        "Its period continues, moved by the time off the air. A renewal that was unpaid is charged again: if that fails, the ad is `PastDue` and stays off the air.",
    })
    .input(oneAd)
    .output(ad),
  stats: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}/stats",
      tags: ["Ads"],
      summary: "Daily impressions and clicks of an ad",
      description:
        "Valid events by UTC day, oldest first, today included; a day without any has zeros. Events show within three seconds.",
    })
    .input(oneAd.extend({ days }))
    .output(adStats),
  traffic: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}/traffic",
      tags: ["Ads"],
      summary: "All events of an ad by verdict",
      description: "Which events were not counted, and why. Stats count valid events only.",
    })
    .input(oneAd.extend({ days }))
    .output(adTraffic),
  eligibility: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}/eligibility",
      tags: ["Ads"],
      summary: "Why an ad is served, or is not",
      description:
        "The rule that serving applies, with the reasons where it says no, and since when and until when the ad is on the air.",
    })
    .input(oneAd)
    .output(eligibility),
};
