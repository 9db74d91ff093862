import { z } from "zod";
import { purchaser, subscription } from "./ad.ts";
import { memberApi } from "./errors.ts";
import { page, pageOf, perPage, subscriptionFilter } from "./query.ts";
import { id, timestamp } from "./text.ts";

/** A purchase, with its advertiser and its ad. */
export const listedSubscription = subscription.extend({
  createdAt: timestamp,
  updatedAt: timestamp,
  advertiser: purchaser,
  adId: id("ad_01kahm4sw4fksra52s8bd8xkd1")
    .nullable()
    .meta({ description: "Null until an ad is submitted." }),
});

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
        ad: z.enum(["submitted", "awaited"]).optional().meta({
          description:
            "`submitted`: only those with an ad. `awaited`: only those that have been bought, have not ended and have no ad yet.",
        }),
        page,
        perPage,
      }),
    )
    .output(pageOf(listedSubscription)),
};
