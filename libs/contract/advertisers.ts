import { z } from "zod";
import { LONGEST_EMAIL } from "#libs/domain/email-address.ts";
import { MOST_ADS_OF_ADVERTISER } from "#libs/domain/limits.ts";
import { ADVERTISER_ORDERS } from "#libs/domain/list-orders.ts";
import { advertisersAd } from "./ad.ts";
import { CSV_FORMAT, csvFile } from "./csv-file.ts";
import { memberApi } from "./errors.ts";
import { jsonFile } from "./json-file.ts";
import { ids, pageOf, paging, subscriptionFilter, updatedSince } from "./query.ts";
import { id, text, timestamp, whole } from "./text.ts";

const totals = z.object({
  ads: whole,
  activeAds: whole,
  activeSubscriptions: whole,
  impressions: whole,
  clicks: whole,
  monthlyAmount: whole.meta({ description: "Normalized monthly revenue, smallest currency unit." }),
  lifetimeAmount: whole.meta({
    description:
      "Charged by the payment processor over all subscriptions, after refunds; estimated from periods where unknown.",
  }),
  refundedAmount: whole.meta({
    description: "Refunded over all subscriptions. With `lifetimeAmount` it is what has been charged.",
  }),
  currency: z.string(),
  nextRenewalAt: timestamp
    .nullable()
    .meta({ description: "When the soonest serving subscription next renews." }),
  churnedAt: timestamp
    .nullable()
    .meta({ description: "When the last subscription lapsed, once fully churned." }),
  unpaidAmount: whole.meta({
    description: "Still owed on open invoices, in `currency` and its smallest unit.",
  }),
  pastDueSubscriptions: whole.meta({
    description: "Subscriptions with a failed payment that is still owed.",
  }),
  pausedSubscriptions: whole,
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

/** An advertiser in a list. */
const listedAdvertiser = z.object({
  ...person,
  totals,
});
export type ListedAdvertiser = z.output<typeof listedAdvertiser>;

export const advertiser = z.object({
  ...person,
  totals,
  latestAd: advertisersAd.nullable(),
  ads: z.array(advertisersAd).meta({
    description: `The newest ${MOST_ADS_OF_ADVERTISER}, newest first; \`totals.ads\` are all. \`GET …/ads?advertiserId=\` has the others.`,
  }),
});
export type Advertiser = z.output<typeof advertiser>;

/** One page of advertisers, and what all of them owe. */
export const advertiserPage = pageOf(listedAdvertiser).extend({
  unpaid: z.array(z.object({ currency: z.string().meta({ examples: ["usd"] }), amount: whole })).meta({
    description:
      "What all advertisers of the workspace owe on open invoices, whatever the filter. The workspace's currency first; currencies are never added up.",
  }),
});

const search = text(LONGEST_EMAIL, {
  description: "Part of a name or email address, in upper or lower case. Blank: all.",
}).optional();

const oneAdvertiser = z.object({ workspaceId: z.string(), advertiserId: z.string().min(1) });

/** Which advertisers are meant; all of them where nothing is said. */
const filters = {
  query: search,
  subscription: subscriptionFilter,
  ids,
  updatedSince: updatedSince("the advertiser, their subscriptions, ads and invoices; not counts"),
};

export const advertisersContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/advertisers",
      tags: ["Advertisers"],
      summary: "List advertisers",
      description: "Newest first by default.",
    })
    .input(
      z.object({
        workspaceId: z.string(),
        ...filters,
        sort: z.enum(ADVERTISER_ORDERS).default("newest").meta({
          description:
            "`monthly`, `lifetime` and `unpaid` have the highest amount first, in the workspace's currency.",
        }),
        ...paging,
      }),
    )
    .output(advertiserPage),
  exportList: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/advertisers.csv",
      tags: ["Advertisers"],
      summary: "Download advertisers as CSV",
      description: `All advertisers that match the filters, newest first, with their totals: ${CSV_FORMAT}`,
    })
    .input(z.object({ workspaceId: z.string(), ...filters }))
    .output(csvFile),
  get: memberApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/advertisers/{advertiserId}",
      tags: ["Advertisers"],
      summary: "Get an advertiser with ads and revenue totals",
      description:
        "Totals are of all subscriptions of the advertiser in this workspace. An erased advertiser has no email address.",
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
        "Cannot be undone. Removes the advertiser's name and email address, what their ads say, their images, and the values in the audit log. Subscriptions, invoices and counts stay, without a name. They receive no more emails. A subscription that has not ended is a 409: cancel it first, with `POST /workspaces/{workspaceId}/subscriptions/{subscriptionId}/cancel`.",
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
