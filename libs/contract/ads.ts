import { z } from "zod";
import { EVENT_KINDS, VERDICTS } from "#libs/domain/event.ts";
import { AD_STATUSES } from "#libs/domain/review.ts";
import { SUBSCRIPTION_STATUSES } from "#libs/domain/subscription.ts";
import { memberApi } from "./errors.ts";
import { price } from "./price.ts";
import { days, page, pageOf, perPage } from "./query.ts";
import { id, text, timestamp, trimmedText } from "./text.ts";

/** Billing and what was bought, without the advertiser. */
export const subscription = z.object({
  id: id("sub_01kahm4sw4fksra52s8bd8xkd1"),
  status: z.enum(SUBSCRIPTION_STATUSES),
  cancelAtPeriodEnd: z.boolean(),
  cancelAt: timestamp.nullable(),
  canceledAt: timestamp.nullable(),
  cancellationReason: z.string().nullable(),
  cancellationFeedback: z.string().nullable(),
  cancellationComment: z.string().nullable(),
  currentPeriodStart: timestamp.nullable(),
  currentPeriodEnd: timestamp.nullable(),
  paidAmount: z.int().nullable().meta({ description: "Real charge after discounts; null when unknown." }),
  tier: z.object({ id: z.string(), name: z.string(), weight: z.number() }),
  tierPrice: price,
});

const creative = {
  id: id("ad_01kahm4sw4fksra52s8bd8xkd1"),
  status: z.enum(AD_STATUSES),
  name: z.string().meta({ examples: ["Northwind Coffee"] }),
  websiteUrl: z.string().meta({ examples: ["https://example.com"] }),
  faviconUrl: z.string().nullable().meta({ description: "Null when none was found." }),
  reviewedAt: timestamp.nullable(),
  rejectionNote: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

const purchaser = z.object({ id: z.string(), name: z.string(), email: z.string() });

/** An ad in a list of the management surface. */
export const listedAd = z.object({
  ...creative,
  subscription: subscription.extend({ advertiser: purchaser }),
});

export const fieldValue = z.object({ fieldId: z.string(), value: z.unknown() });

/** An ad in the management view. */
export const ad = listedAd.extend({ meta: z.array(fieldValue) });

const counts = z.object({ impressions: z.int(), clicks: z.int() });

/** An ad in the advertiser's view. */
export const advertisersAd = z.object({
  ...creative,
  stats: counts,
  subscription: subscription.extend({ createdAt: timestamp, updatedAt: timestamp }),
});

/** Daily counts of valid events, zero-filled, oldest first. */
export const adStats = z.object({
  days: z.int(),
  rows: z.array(counts.extend({ date: timestamp.meta({ description: "Midnight UTC of the day." }) })),
  totals: counts,
});

/** Why an ad is served, or is not. */
export const eligibility = z.object({
  eligible: z.boolean(),
  reasons: z
    .array(
      z.object({
        code: z.string().meta({ description: "`NOT_APPROVED`, `SUBSCRIPTION_<STATUS>` or `PERIOD_ENDED`." }),
        message: z.string(),
      }),
    )
    .meta({ description: "Empty when eligible." }),
  servingSince: timestamp
    .nullable()
    .meta({ description: "When the ad came on air, now or the last time; null when it never was." }),
  servingUntil: timestamp
    .nullable()
    .meta({ description: "When it went or will go off the air; null while no end is known." }),
});

const eventCount = z.int().min(0);

/** Everything that was accepted for an ad: what counts, and what does not and why. */
export const adTraffic = z.object({
  days: z.int(),
  rows: z
    .array(
      z.object({
        date: timestamp.meta({ description: "Midnight UTC of the day." }),
        kind: z.enum(EVENT_KINDS),
        verdict: z.enum(VERDICTS),
        events: eventCount,
      }),
    )
    .meta({ description: "Oldest first; what did not happen has no row." }),
  totals: z.object({
    valid: eventCount,
    bot: eventCount,
    prefetch: eventCount,
    duplicate: eventCount,
    not_serving: eventCount,
  }),
  visitors: eventCount.meta({
    description: "Different visitors with a valid event; one who comes on two days counts twice.",
  }),
});

/** What a list of ads can be ordered by; the first is the usual. */
export const AD_ORDERS = ["newest", "oldest", "name", "tier"] as const;

const note = trimmedText(1, 500);
const inWorkspace = z.object({ workspaceId: z.string() });
const oneAd = inWorkspace.extend({ adId: z.string() });

export const adsContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads",
      tags: ["Ads"],
      summary: "List ads",
      description: "Newest first, where nothing else is asked for.",
    })
    .input(
      inWorkspace.extend({
        status: z.enum(AD_STATUSES).optional(),
        query: text(254, {
          description:
            "Part of the ad's name or address, or of the advertiser's name or e-mail address, in upper or lower case. Blank: all.",
        }).optional(),
        tierId: z.string().optional(),
        advertiserId: z.string().optional(),
        serving: z
          .enum(["yes", "no"])
          .optional()
          .meta({ description: "Only ads that are served now, or only those that are not." }),
        sort: z
          .enum(AD_ORDERS)
          .default("newest")
          .meta({ description: "`tier` has the heaviest tier first, and the newest ad of each." }),
        page,
        perPage,
      }),
    )
    .output(pageOf(listedAd)),
  toReview: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/review-queue",
      tags: ["Ads"],
      summary: "How much waits for a review",
      description: "What the advertiser was asked to change does not wait until it is submitted again.",
    })
    .input(inWorkspace)
    .output(
      z.object({
        ads: eventCount.meta({ description: "Pending ads.", examples: [2] }),
        revisions: eventCount.meta({
          description: "Open revisions of ads that stay on air.",
          examples: [1],
        }),
      }),
    ),
  get: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}",
      tags: ["Ads"],
      summary: "Get an ad",
    })
    .input(oneAd)
    .output(ad),
  approve: memberApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/approve",
      tags: ["Ads"],
      summary: "Approve a pending ad",
      description:
        "The ad is served within a second while its subscription is active. A 409 at `meta.<key>` where an uploaded image is missing, damaged, too large or of another type than it says.",
    })
    .input(oneAd)
    .output(ad),
  reject: memberApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/reject",
      tags: ["Ads"],
      summary: "Reject an ad and cancel its subscription",
      description: "Final: the ad takes no further submission. An open revision goes with it.",
    })
    .input(oneAd.extend({ note }))
    .output(ad),
  requestChanges: memberApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/request-changes",
      tags: ["Ads"],
      summary: "Ask the advertiser of a pending ad for changes",
      description: "The ad stays pending with the note, until a new submission replaces both.",
    })
    .input(oneAd.extend({ note }))
    .output(ad),
  pause: memberApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/pause",
      tags: ["Ads"],
      summary: "Pause a serving ad and its billing",
    })
    .input(oneAd)
    .output(ad),
  resume: memberApi("Manager")
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/ads/{adId}/resume",
      tags: ["Ads"],
      summary: "Resume a paused ad",
    })
    .input(oneAd)
    .output(ad),
  stats: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}/stats",
      tags: ["Ads"],
      summary: "Daily impressions and clicks of an ad",
    })
    .input(oneAd.extend({ days }))
    .output(adStats),
  traffic: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}/traffic",
      tags: ["Ads"],
      summary: "All events of an ad by verdict",
      description: "What was not counted, and why. Stats count valid events only.",
    })
    .input(oneAd.extend({ days }))
    .output(adTraffic),
  eligibility: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/{adId}/eligibility",
      tags: ["Ads"],
      summary: "Why an ad is served, or is not",
    })
    .input(oneAd)
    .output(eligibility),
};
