import { z } from "zod";
import { advertisersAd } from "./ads.ts";
import { memberApi } from "./errors.ts";
import { id, timestamp } from "./text.ts";

export const totals = z.object({
  ads: z.int(),
  activeAds: z.int(),
  activeSubscriptions: z.int(),
  impressions: z.int(),
  clicks: z.int(),
  monthlyAmount: z.int().meta({ description: "Normalized monthly revenue, smallest currency unit." }),
  lifetimeAmount: z.int().meta({ description: "Estimated lifetime billing across every subscription." }),
  currency: z.string(),
  nextRenewalAt: timestamp
    .nullable()
    .meta({ description: "When the soonest serving subscription next renews." }),
  churnedAt: timestamp
    .nullable()
    .meta({ description: "When the last subscription lapsed, once fully churned." }),
  canceling: z.boolean(),
  cancelAt: timestamp.nullable(),
  cancellationSummary: z.string().nullable(),
});

export const advertiser = z.object({
  id: id("adv_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string(),
  email: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  totals,
  latestAd: advertisersAd.nullable(),
  ads: z.array(advertisersAd),
});

export const advertisersContract = {
  get: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/advertisers/{advertiserId}",
      tags: ["Advertisers"],
      summary: "Get an advertiser with ads and revenue totals",
    })
    .input(z.object({ workspaceId: z.string(), advertiserId: z.string().min(1) }))
    .output(advertiser),
};
