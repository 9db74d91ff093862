import type { OpenAPI } from "@orpc/contract";
import { z } from "zod";
import { PLACE_LENGTHS } from "#libs/domain/event-place.ts";
import { MOST_ADS, MOST_EXCLUDED, MOST_REPORTED, MOST_TIERS } from "#libs/domain/serving-limits.ts";
import { publicApi } from "./errors.ts";
import { price } from "./price.ts";
import { describeInQuery, numberText, queryList } from "./query.ts";
import { reportEvents } from "./server-events.ts";
import { id, ignoredUnlessText, whole } from "./text.ts";
import { feature } from "./tiers.ts";

/** An ad as browsers get it. */
export const servingAd = z.object({
  id: id("ad_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string().meta({ examples: ["Northwind Coffee"] }),
  websiteUrl: z.string().meta({
    description: "Where a click leads, with the UTM parameters of the workspace if it has set some.",
    examples: ["https://example.com"],
  }),
  faviconUrl: z.string().meta({ description: "Empty if none was found." }),
  weight: z.number(),
  meta: z.record(z.string(), z.unknown()).meta({
    description: "Creative-field values by field key, publisher-only ones left out.",
    examples: [{ tagline: "Roasted this morning" }],
  }),
  proof: z.string().exactOptional().meta({
    description:
      "With `proof=1`: proves with an impression or a click, as their `proof`, that the ad was handed out. The same for everybody within a minute, and valid for 15 more, unless the installation says otherwise.",
  }),
});

/** A tier as browsers get it: active, with its active prices. */
export const servingTier = z.object({
  id: id("tier_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string(),
  description: z.string(),
  weight: z.number(),
  order: whole,
  features: z.array(feature),
  prices: z.array(price),
});

export const servedAds = z.object({ ads: z.array(servingAd) });
export const servedTiers = z.object({ tiers: z.array(servingTier) });
export const tracked = z.object({
  success: z.boolean().meta({ description: "True once the event is on durable storage." }),
});

/** Where events of a request happened. */
const PLACE = {
  placement: {
    description: `Your name for the place on the page, by which reports can be split; cut to ${PLACE_LENGTHS.placement} characters.`,
    example: "sidebar",
  },
  page: {
    description: `The address or the path of the page. Only its path is kept, cut to ${PLACE_LENGTHS.path} characters. Without it, it is the path of the \`Referer\` header.`,
    example: "https://example.com/news",
  },
  referrer: {
    description:
      "The address or the host that led to the page. Only the host is kept, and only that of another site.",
    example: "news.example",
  },
} as const;

const PLACE_PARAMETERS = Object.entries(PLACE).map(([name, about]): OpenAPI.ParameterObject => {
  return { name, in: "query", required: false, ...about, schema: { type: "string" } };
});

/** The operation with the parameters of a place. */
function withPlace(operation: OpenAPI.OperationObject): OpenAPI.OperationObject {
  return { ...operation, parameters: [...(operation.parameters ?? []), ...PLACE_PARAMETERS] };
}

/** What a page reports in one request. */
export const seenAds = z.object({
  ads: z
    .array(
      z.object({
        id: z.string(),
        proof: z.string().optional().meta({ description: "The ad's, from an answer to `proof=1`." }),
      }),
    )
    .min(1)
    .max(MOST_REPORTED)
    .meta({ examples: [[{ id: "ad_01kahm4sw4fksra52s8bd8xkd1", proof: "nQ3mVq8Zt5Wy1Xc7Bn9Ls4" }]] }),
  placement: ignoredUnlessText(PLACE.placement),
  page: ignoredUnlessText(PLACE.page),
  referrer: ignoredUnlessText(PLACE.referrer),
});

export const trackedAds = z.object({
  ads: z
    .array(
      z.object({
        id: z.string().meta({ description: "As it was sent." }),
        success: z.boolean().meta({ description: "True once the event is on durable storage." }),
        retry: z.boolean().exactOptional().meta({
          description:
            "True where the event could not be stored: send this ad once more. The others of the request count.",
        }),
      }),
    )
    .meta({
      description: "One for each ad of the request, in its order.",
      examples: [[{ id: "ad_01kahm4sw4fksra52s8bd8xkd1", success: true }]],
    }),
});

const bound = numberText(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, "Must be a number.")
  .refine(Number.isFinite, "Must be a finite number.")
  .optional();
const count = numberText(/^-?\d+$/, "Must be an integer.").optional();
const gte = bound.clone();
const lt = bound.clone();

const proof = numberText(/^1$/, "Must be 1, or left out.").optional();

describeInQuery(proof, {
  type: "integer",
  minimum: 1,
  maximum: 1,
  description: "1 adds `proof` to each ad.",
});
describeInQuery(gte, { type: "number", description: "Only tiers of at least this weight." });
describeInQuery(lt, { type: "number", description: "Only tiers below this weight." });
describeInQuery(count, {
  type: "integer",
  description: `Distinct ads to return, clamped to 1..${MOST_ADS}; 1 when left out.`,
});

/** The query of the serving endpoint. */
export const servingQuery = z.object({
  weight: z.object({ gte, lt }).optional(),
  tierId: queryList({
    most: MOST_TIERS,
    description: "Only ads of these tiers: ids, repeated or joined by commas. An empty value admits no tier.",
  }),
  excludeIds: queryList({
    most: MOST_EXCLUDED,
    description: "Ads that are not returned: ids, repeated or joined by commas.",
  }),
  count,
  proof,
});

/** Implemented by the serving service on bare Fastify; here they are validated against and described. */
export const servingContract = {
  ads: publicApi
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/ads/serving",
      tags: ["Serving"],
      summary: "Ads to show now, in rotation order",
      description:
        "Stable for identical parameters within a 60-second window, weighted by tier. Empty when none are eligible.",
    })
    .input(servingQuery.extend({ workspaceId: z.string() }))
    .output(servedAds),
  tiers: publicApi
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/tiers/serving",
      tags: ["Serving"],
      summary: "Tiers on sale",
      description:
        "Active tiers with their active prices, in display order; a tier without a price on sale is left out.",
    })
    .input(z.object({ workspaceId: z.string() }))
    .output(servedTiers),
  impression: publicApi
    .route({
      method: "POST",
      path: "/ads/{adId}/impressions",
      tags: ["Tracking"],
      summary: "Record an impression",
      description:
        "Success means that the event is stored durably and will be counted once if it is valid. Where no script runs, as in newsletters, the image at `/v1/ads/{adId}/impression.gif` records the same.",
      spec: withPlace,
    })
    .input(z.object({ adId: z.string() }))
    .output(tracked),
  impressions: publicApi
    .route({
      method: "POST",
      path: "/impressions",
      tags: ["Tracking"],
      summary: "Record the impressions of a page",
      description: `As for an impression, 1 to ${MOST_REPORTED} ads at once: what a page shows. The body is JSON whatever its type says, so that a page of any site can send it as \`text/plain\`, without a preflight. The answer has one result per ad.`,
    })
    .input(seenAds)
    .output(trackedAds),
  click: publicApi
    .route({
      method: "POST",
      path: "/ads/{adId}/clicks",
      tags: ["Tracking"],
      summary: "Record a click",
      description:
        "As for an impression. Where no script runs, as in newsletters, a link to `/v1/ads/{adId}/click` records the same and leads to the ad's approved address.",
      spec: withPlace,
    })
    .input(z.object({ adId: z.string() }))
    .output(tracked),
  events: reportEvents,
};
