import { z } from "zod";
import { LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { advertisersAd } from "./ad.ts";
import { memberApi } from "./errors.ts";
import { jsonFile } from "./json-file.ts";
import { page, pageOf, perPage } from "./query.ts";
import { id, text, timestamp } from "./text.ts";

export const totals = z.object({
  ads: z.int(),
  activeAds: z.int(),
  activeSubscriptions: z.int(),
  impressions: z.int(),
  clicks: z.int(),
  monthlyAmount: z.int().meta({ description: "Normalized monthly revenue, smallest currency unit." }),
  lifetimeAmount: z.int().meta({
    description:
      "Charged by the payment processor over all subscriptions, before refunds; estimated from periods where unknown.",
  }),
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

const person = {
  id: id("adv_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string(),
  email: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

/** An advertiser in a list: with the totals of what was bought, without those of what was counted. */
export const listedAdvertiser = z.object({
  ...person,
  totals: totals.omit({ impressions: true, clicks: true }),
});
export type ListedAdvertiser = z.output<typeof listedAdvertiser>;

export const advertiser = z.object({
  ...person,
  totals,
  latestAd: advertisersAd.nullable(),
  ads: z.array(advertisersAd),
});
export type Advertiser = z.output<typeof advertiser>;

const search = text(LONGEST_EMAIL, {
  description: "Part of a name or email address, in upper or lower case. Blank: all.",
}).optional();

const oneAdvertiser = z.object({ workspaceId: z.string(), advertiserId: z.string().min(1) });

export const advertisersContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/advertisers",
      tags: ["Advertisers"],
      summary: "List advertisers",
      description: "Newest first.",
    })
    .input(z.object({ workspaceId: z.string(), query: search, page, perPage }))
    .output(pageOf(listedAdvertiser)),
  get: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/advertisers/{advertiserId}",
      tags: ["Advertisers"],
      summary: "Get an advertiser with ads and revenue totals",
    })
    .input(oneAdvertiser)
    .output(advertiser),
  erase: memberApi("Manager")
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/advertisers/{advertiserId}",
      tags: ["Advertisers"],
      summary: "Erase an advertiser",
      description:
        "Cannot be undone. Removes the advertiser's name and email address, what their ads say, their images, and the values in the audit log. Subscriptions, invoices and counts stay, without a name. They receive no more emails. A live subscription is a 409: reject its ad first.",
    })
    .input(oneAdvertiser)
    .output(z.object({ success: z.boolean() })),
  export: memberApi("Manager")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/advertisers/{advertiserId}/export",
      tags: ["Advertisers"],
      summary: "Download an advertiser's data",
      description:
        "One JSON file with everything that is stored about the advertiser: subscriptions, ads, revisions, invoices, refunds, changes. 60 per hour and workspace.",
    })
    .input(oneAdvertiser)
    .output(jsonFile),
};
