import { z } from "zod";
import { LONGEST } from "#libs/domain/limits.ts";
import { purchaser, subscription } from "./ad.ts";
import { memberApi } from "./errors.ts";
import { clientReference, ids, pageOf, paging, subscriptionFilter, updatedSince } from "./query.ts";
import { id, timestamp, trimmedText } from "./text.ts";

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
