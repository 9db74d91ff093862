import { z } from "zod";
import { COUNT_LIMITS, LONGEST, MOST, SHORTEST } from "#libs/domain/limits.ts";
import { FEATURE_TYPES } from "#libs/domain/tier.ts";
import { describeBody } from "./body-rule.ts";
import { memberApi } from "./errors.ts";
import { checkPrice, newPrice, PRICE_RULES, priceShape, tierPrice } from "./price.ts";
import { pageOf, paging } from "./query.ts";
import { id, text, trimmedText, whole } from "./text.ts";

export const feature = z.object({
  label: trimmedText(1, LONGEST.name),
  type: z.enum(FEATURE_TYPES),
});

const weight = z
  .number()
  .positive("Must be above 0.")
  .meta({ description: "Placement weight; higher means more premium.", examples: [3] });

const order = whole.meta({ description: "Display order in the tier selector." });

export const tier = z.object({
  id: id("tier_01kahm4sw4fksra52s8bd8xkd1"),
  name: z.string().meta({ examples: ["Gold"] }),
  description: z.string(),
  weight,
  order,
  isActive: z.boolean().meta({ description: "False once the tier is archived (soft-deleted)." }),
  features: z.array(feature),
  prices: z.array(tierPrice),
});
export type Tier = z.output<typeof tier>;

const inWorkspace = z.object({ workspaceId: z.string() });
const oneTier = inWorkspace.extend({ tierId: z.string() });
const onePrice = oneTier.extend({ priceId: z.string() });

/** What a tier can be made with and changed to. */
const tierValues = {
  name: trimmedText(SHORTEST.name, LONGEST.name),
  weight,
  description: text(LONGEST.description),
  isActive: z.boolean(),
  order,
  features: z.array(feature).max(MOST.features),
};

/** What a tier is created from. */
export const newTier = z.object({
  ...tierValues,
  initialPrices: z.array(newPrice).min(1).max(MOST.initialPrices),
  description: tierValues.description.default(""),
  isActive: tierValues.isActive.default(true),
  order: order.optional().meta({ description: "Default: after the last tier." }),
  features: tierValues.features.default([]),
});

const ONE_PRICE_A_SHAPE =
  "A tier has at most one active price of each interval, interval count and currency: a second one is a 409.";

export const tiersContract = {
  list: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/tiers",
      tags: ["Tiers"],
      summary: "List tiers",
      description: "All tiers of the workspace in display order, archived ones included.",
    })
    .input(inWorkspace.extend(paging))
    .output(pageOf(tier)),
  create: memberApi("Manager")
    .meta({ idempotent: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/tiers",
      tags: ["Tiers"],
      summary: "Create a tier with its first prices",
      description: `${ONE_PRICE_A_SHAPE} ${COUNT_LIMITS.tiers.sentence} ${COUNT_LIMITS.pricesInAll.sentence}`,
    })
    .input(inWorkspace.extend(newTier.shape))
    .output(tier),
  get: memberApi("Viewer")
    .meta({ isTagged: true })
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/tiers/{tierId}",
      tags: ["Tiers"],
      summary: "Get a tier",
      description: "Archived or not, with all its prices.",
    })
    .input(oneTier)
    .output(tier),
  update: memberApi("Manager")
    .meta({ isTagged: true, takesIfMatch: true })
    .route({
      method: "PATCH",
      path: "/workspaces/{workspaceId}/tiers/{tierId}",
      tags: ["Tiers"],
      summary: "Change a tier",
      description:
        "Values that are not sent stay unchanged; `features` are replaced as a whole. Prices have endpoints of their own. A new weight also applies to ads already bought in the tier.",
    })
    .input(oneTier.extend(z.object(tierValues).partial().shape))
    .output(tier),
  archive: memberApi("Manager")
    .meta({ takesIfMatch: true })
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/tiers/{tierId}",
      tags: ["Tiers"],
      summary: "Archive a tier",
      description:
        "Ends the tier's sale; ads already bought in it keep serving. Archiving twice changes nothing.",
    })
    .input(oneTier)
    .output(tier),
  unarchive: memberApi("Manager")
    .meta({ takesIfMatch: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/tiers/{tierId}/unarchive",
      tags: ["Tiers"],
      summary: "Put an archived tier back on sale",
      description: "With those of its prices that are not archived themselves. Repeating it changes nothing.",
    })
    .input(oneTier)
    .output(tier),
};

export const pricesContract = {
  create: memberApi("Manager")
    .meta({ idempotent: true, takesIfMatch: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/tiers/{tierId}/prices",
      tags: ["Tiers"],
      summary: "Add a price to a tier",
      description: `${ONE_PRICE_A_SHAPE} ${COUNT_LIMITS.prices.sentence} ${COUNT_LIMITS.pricesInAll.sentence}`,
      spec: describeBody((body) => ({ ...body, ...PRICE_RULES })),
    })
    .input(oneTier.extend(priceShape.shape).superRefine(checkPrice))
    .output(tier),
  archive: memberApi("Manager")
    .meta({ takesIfMatch: true })
    .route({
      method: "DELETE",
      path: "/workspaces/{workspaceId}/tiers/{tierId}/prices/{priceId}",
      tags: ["Tiers"],
      summary: "Archive a price",
      description:
        "Ends the price's sale; existing subscriptions keep it. Prices can't be edited: to change an amount, archive this price and add a new one. Archiving twice changes nothing.",
    })
    .input(onePrice)
    .output(tier),
  unarchive: memberApi("Manager")
    .meta({ takesIfMatch: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/tiers/{tierId}/prices/{priceId}/unarchive",
      tags: ["Tiers"],
      summary: "Put an archived price back on sale",
      description: ONE_PRICE_A_SHAPE,
    })
    .input(onePrice)
    .output(tier),
};
