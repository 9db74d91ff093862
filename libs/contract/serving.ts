import { z } from "zod";
import { publicApi } from "./errors.ts";
import { id } from "./text.ts";
import { feature, price } from "./tiers.ts";

/** An ad as browsers get it. */
export const servingAd = z.object({
  id: id("ad_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string().meta({ examples: ["Northwind Coffee"] }),
  websiteUrl: z.string().meta({ examples: ["https://example.com"] }),
  faviconUrl: z.string().meta({ description: "Empty where none was found." }),
  weight: z.number(),
  meta: z.record(z.string(), z.unknown()).meta({
    description: "Creative-field values by field key, publisher-only ones left out.",
    examples: [{ tagline: "Roasted this morning" }],
  }),
});

/** A tier as browsers get it: active, with its active prices. */
export const servingTier = z.object({
  id: id("tier_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string(),
  description: z.string(),
  weight: z.number(),
  order: z.int(),
  features: z.array(feature),
  prices: z.array(price),
});

export const servedAds = z.object({ ads: z.array(servingAd) });
export const servedTiers = z.object({ tiers: z.array(servingTier) });
export const tracked = z.object({
  success: z.boolean().meta({ description: "True once the event is on durable storage." }),
});

const finiteNumber = z
  .string()
  .regex(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i, { error: "Must be a number.", abort: true })
  .refine((digits) => Number.isFinite(Number(digits)), "Must be a finite number.")
  .transform(Number);
const idSet = z.union([z.string(), z.array(z.string())]);

/** The query of the serving endpoint as it arrives, before commas are split. */
export const servingQuery = z.object({
  weight: z
    .object({ gte: finiteNumber.optional(), lt: finiteNumber.optional() })
    .optional()
    .meta({ description: "Band of tier weights, `weight[gte]` and `weight[lt]`." }),
  tierId: idSet.optional().meta({ description: "One tier id or a set, comma-joined or repeated." }),
  excludeIds: idSet
    .optional()
    .meta({ description: "At most 200 ad ids, comma-joined, repeated or as `excludeIds[]`." }),
  count: z
    .string()
    .regex(/^-?\d+$/, "Must be an integer.")
    .optional()
    .meta({ description: "Distinct ads to return, clamped to 1..50; 1 when left out.", examples: ["3"] }),
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
    })
    .input(z.object({ workspaceId: z.string() }))
    .output(servedTiers),
  impression: publicApi
    .route({
      method: "POST",
      path: "/ads/{adId}/impressions",
      tags: ["Tracking"],
      summary: "Record an impression",
      description: "Success means that the event is stored durably and will be counted once if it is valid.",
    })
    .input(z.object({ adId: z.string() }))
    .output(tracked),
  click: publicApi
    .route({ method: "POST", path: "/ads/{adId}/clicks", tags: ["Tracking"], summary: "Record a click" })
    .input(z.object({ adId: z.string() }))
    .output(tracked),
};
