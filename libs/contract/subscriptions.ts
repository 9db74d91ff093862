import { z } from "zod";
import { LONGEST } from "#libs/domain/limits.ts";
import { purchaser, subscription } from "./ad.ts";
import { memberApi } from "./errors.ts";
import {
  clientReference,
  ids,
  pageOf,
  paging,
  queryInteger,
  shownDays,
  subscriptionFilter,
  updatedSince,
} from "./query.ts";
import { id, timestamp, trimmedText, whole } from "./text.ts";

/** A purchase, with its advertiser and its ad. */
export const listedSubscription = subscription.extend({
  createdAt: timestamp,
  updatedAt: timestamp,
  advertiser: purchaser,
  adId: id("ad_01kahm4sw4fksra52s8bd8xkd1")
    .nullable()
    .meta({ description: "Null until an ad is submitted." }),
});

export type ListedSubscription = z.output<typeof listedSubscription>;

const daysAround = queryInteger({
  min: 1,
  max: 365,
  default: 30,
  description:
    "The days up to now in which subscriptions have begun or lapsed, and those from now on in which they renew.",
});

const recurringFigures = {
  subscriptions: whole.meta({ examples: [12] }),
  monthlyAmount: whole.meta({
    description: "What they bring in an average month, in the smallest unit.",
    examples: [58_800],
  }),
};

const recurring = (description: string) => z.object(recurringFigures).meta({ description });

/** What a workspace's subscriptions bring, and how that changes. */
export const subscriptionTotals = z.object({
  days: shownDays,
  currencies: z
    .array(
      z.object({
        currency: z.string().meta({ examples: ["usd"] }),
        serving: recurring(
          "Those that are served now, or would be with an approved ad. A trial brings nothing yet.",
        ),
        begun: recurring("Those that were bought in the last days, whatever has become of them."),
        lapsed: recurring("Those that were there before the last days, and have lapsed in them."),
        churnRate: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({
            examples: [0.04],
            description:
              "The part of those that were there before the last days that has lapsed; null if there were none.",
          }),
        renewals: z
          .object({
            subscriptions: whole.meta({ examples: [9] }),
            amount: whole.meta({ examples: [44_100] }),
          })
          .meta({
            description:
              "Those whose next period begins within as many days, at what the present one costs after discounts, or at their price in a trial. A subscription counts once, though its periods may be shorter.",
          }),
      }),
    )
    .meta({ description: "The workspace's currency first; currencies are never added up." }),
  tiers: z
    .array(
      z.object({
        tier: z.object({ id: id("tier_01kahm4sw4fksra52s8bd8xkd1"), name: z.string() }),
        adsOnAir: whole.meta({ examples: [3] }),
        firstShare: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({
            examples: [0.6],
            description:
              "The part of requests for one ad, of all tiers, that its ads answer, by their weight; null while no ad of any tier is on the air.",
          }),
        serving: z
          .array(z.object({ currency: z.string().meta({ examples: ["usd"] }), ...recurringFigures }))
          .meta({ description: "As `serving` of `currencies`; empty without subscriptions." }),
      }),
    )
    .meta({ description: "All tiers, archived ones included, in their order." }),
});

export type SubscriptionTotals = z.output<typeof subscriptionTotals>;

const oneSubscription = z.object({ workspaceId: z.string(), subscriptionId: z.string() });

export const subscriptionsContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/subscriptions",
      tags: ["Advertisers"],
      summary: "List subscriptions",
      description: "What advertisers have bought, newest first, with an ad or without.",
    })
    .input(
      z.object({
        workspaceId: z.string(),
        subscription: subscriptionFilter,
        advertiserId: z.string().optional(),
        clientReference,
        ids,
        updatedSince: updatedSince("the subscription, its ad, or its advertiser, who may be erased"),
        ad: z.enum(["submitted", "awaited"]).optional().meta({
          description:
            "`submitted`: only those with an ad. `awaited`: only those that have been bought, have not ended and have no ad yet.",
        }),
        ...paging,
      }),
    )
    .output(pageOf(listedSubscription)),
  totals: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/subscriptions/totals",
      tags: ["Advertisers"],
      summary: "Recurring revenue, churn and renewals",
      description:
        "What subscriptions bring in an average month, which of them are new, which have lapsed, and what renews next, by currency.",
    })
    .input(z.object({ workspaceId: z.string(), days: daysAround }))
    .output(subscriptionTotals),
  remind: memberApi("Manager")
    .meta({ idempotent: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/subscriptions/{subscriptionId}/remind",
      tags: ["Advertisers"],
      summary: "Email the link to submit the ad again",
      description:
        "Of a subscription without an ad. At most three a day for one subscription, then 429. A 409 if it has ended, has an ad, or if there is nowhere to send the link to.",
    })
    .input(oneSubscription)
    .output(z.object({ success: z.boolean() })),
  cancel: memberApi("Manager")
    .meta({ idempotent: true, callsProcessor: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/subscriptions/{subscriptionId}/cancel",
      tags: ["Advertisers"],
      summary: "Cancel a subscription at once",
      description:
        "With an ad or without; final. Nothing more is charged, and an ad goes off the air. With `refund`, everything that was paid comes back for an ad that never ran, or for none, and else the unused part of the current period, by seconds. The advertiser gets an email. A 409 if it has ended.",
    })
    .input(
      oneSubscription.extend({
        refund: z
          .boolean()
          .default(false)
          .meta({ description: "Whether the advertiser gets the money back." }),
        note: trimmedText(1, LONGEST.note)
          .optional()
          .meta({ description: "To the advertiser.", examples: ["We no longer sell this placement."] }),
      }),
    )
    .output(listedSubscription),
};
