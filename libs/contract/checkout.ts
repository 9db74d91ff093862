import { z } from "zod";
import { CHECKOUT_STATUSES } from "#libs/domain/checkout.ts";
import { LONGEST, MOST, SHORTEST } from "#libs/domain/limits.ts";
import { advertisersAd, fieldValue, shownValue, VALUE_BY_TYPE } from "./ad.ts";
import { publicApi } from "./errors.ts";
import { field } from "./fields.ts";
import { price } from "./price.ts";
import { revision } from "./revisions.ts";
import { id, mailAddress, siteUrl, text, trimmedText, webUrl } from "./text.ts";
import { tier } from "./tiers.ts";
import { newUpload, uploadGrant } from "./uploads.ts";

const KEY_RULE = `Keys have 1 to ${LONGEST.metadataKey} letters, digits, _, - and dots.`;

/** The ad as its advertiser sees it after submission. */
export const submittedAd = advertisersAd
  .omit({ stats: true, subscription: true })
  .extend({ meta: z.array(shownValue) });

/** A value left out empties the field, as null does. */
export const submittedValue = fieldValue.extend({
  value: z
    .unknown()
    .default(null)
    .meta({ description: `${VALUE_BY_TYPE} Null empties it.` }),
});

/** What an advertiser submits. Values are checked against the workspace's fields. */
export const submission = z.object({
  name: trimmedText(SHORTEST.name, LONGEST.name),
  websiteUrl: siteUrl,
  meta: z.array(submittedValue).max(MOST.values).default([]),
});

/** Values of the integrator's by keys of its own, within what the payment processor takes. */
const metadata = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9_.-]+$/, KEY_RULE)
      .max(LONGEST.metadataKey, KEY_RULE),
    text(LONGEST.metadataValue),
  )
  .refine((given) => Object.keys(given).length <= MOST.metadata, `Must have at most ${MOST.metadata} keys.`)
  .meta({
    description: `As \`clientReference\`: at most ${MOST.metadata} values of at most ${LONGEST.metadataValue} characters.`,
    maxProperties: MOST.metadata,
    examples: [{ campaign: "spring" }],
  });

const oneSession = z.object({ sessionId: z.string() });

export const checkoutContract = {
  create: publicApi
    .meta({ idempotent: true, callsProcessor: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/checkout-sessions",
      tags: ["Checkout"],
      summary: "Create a hosted checkout session for a tier price",
      description: "The session id is the advertiser's secret: with it the ad is submitted and edited.",
    })
    .input(
      z.object({
        workspaceId: z.string(),
        tierPriceId: z.string(),
        email: mailAddress.optional(),
        cancelUrl: webUrl.optional(),
        successUrl: webUrl.optional().meta({
          description:
            "Where the buyer goes after the payment, in place of Placard's page for the ad; `session_id` is appended with the session's id. That page then submits the ad, or leads the buyer to Placard's.",
        }),
        clientReference: trimmedText(1, LONGEST.reference)
          .optional()
          .meta({
            description:
              "A reference of yours, such as an order number, for the subscription, its ad and its invoices. Buyers do not see it, but whoever calls this chooses it.",
            examples: ["order-1017"],
          }),
        metadata: metadata.optional(),
      }),
    )
    .output(z.object({ url: z.string(), sessionId: z.string() })),
  get: publicApi
    .meta({ callsProcessor: true })
    .route({
      method: "GET",
      path: "/checkout-sessions/{sessionId}",
      tags: ["Checkout"],
      summary: "Status of a checkout session",
      description:
        "`complete` as soon as the payment processor says so, with the fields to fill in and the ad once it is submitted.",
    })
    .input(oneSession)
    .output(
      z.object({
        status: z.enum(CHECKOUT_STATUSES),
        subscriptionId: id("sub_01kahm4sw4fksra52s8bd8xkd1")
          .nullable()
          .meta({ description: "What was bought; null before the payment." }),
        workspace: z.object({ id: z.string(), name: z.string() }),
        tier: tier.pick({ id: true, name: true, description: true, weight: true, features: true }),
        tierPrice: price,
        fields: z.array(field),
        ad: submittedAd.nullable(),
      }),
    ),
  submit: publicApi
    .meta({ callsProcessor: true })
    .route({
      method: "POST",
      path: "/checkout-sessions/{sessionId}/ad",
      tags: ["Checkout"],
      summary: "Submit the ad that was paid for",
      description:
        "While the ad is pending a new submission replaces it. Once it is approved a submission proposes a revision: the answer is the ad as it continues to serve, and the next submission replaces the revision. A 409 before payment, after a rejection, and beyond 50 times a day. An image is the `publicUrl` of an upload that has been sent, or an address elsewhere, from which it is copied before the ad can be approved; a 422 at `meta.<key>` where nothing was uploaded.",
    })
    .input(oneSession.extend(submission.shape))
    .output(submittedAd),
  revision: publicApi
    .meta({ callsProcessor: true })
    .route({
      method: "GET",
      path: "/checkout-sessions/{sessionId}/revision",
      tags: ["Checkout"],
      summary: "Get the revision that awaits review",
      description: "With the publisher's note if changes were requested. A 404 if none is open.",
    })
    .input(oneSession)
    .output(revision),
  upload: publicApi
    .meta({ callsProcessor: true })
    .route({
      method: "POST",
      path: "/checkout-sessions/{sessionId}/uploads",
      tags: ["Checkout"],
      summary: "Get a grant to upload an image of the creative",
      description:
        "A 409 before payment, beyond the workspace's quota, of which a fifth is the publisher's alone, and while the checkout has too many files that its ad does not use as images, open grants included: two for each image field and 20 more, or an eighth of the quota. Unused files are removed after six hours.",
    })
    .input(newUpload.extend(oneSession.shape))
    .output(uploadGrant),
};
