import { z } from "zod";
import { EVENT_KINDS, perVerdict, READ_VERDICTS } from "#libs/domain/event.ts";
import { AD_STATUSES } from "#libs/domain/review.ts";
import { CHARGE_AT } from "#libs/domain/settings.ts";
import { SUBSCRIPTION_STATUSES } from "#libs/domain/subscription.ts";
import { price } from "./price.ts";
import { shownDays } from "./query.ts";
import { id, timestamp, version, whole } from "./text.ts";

/** Billing and what was bought, without the advertiser. */
export const subscription = z.object({
  id: id("sub_01kahm4sw4fksra52s8bd8xkd1"),
  status: z.enum(SUBSCRIPTION_STATUSES),
  cancelAtPeriodEnd: z.boolean(),
  cancelAt: timestamp.nullable(),
  canceledAt: timestamp.nullable(),
  endedAt: timestamp.nullable().meta({ description: "When it ended for good; null before that." }),
  cancellationReason: z.string().nullable(),
  cancellationFeedback: z.string().nullable(),
  cancellationComment: z.string().nullable(),
  currentPeriodStart: timestamp.nullable(),
  currentPeriodEnd: timestamp.nullable(),
  paidAmount: whole.nullable().meta({ description: "Real charge after discounts; null when unknown." }),
  chargeAt: z.enum(CHARGE_AT).meta({
    description: "The workspace's `chargeAt` at the time of the purchase.",
    examples: ["purchase"],
  }),
  awaitsApproval: z.boolean().meta({
    description:
      "Whether charges wait for the ad's first approval: with `chargeAt` `purchase` the renewals, with `approval` the first charge as well.",
    examples: [false],
  }),
  awaitsCharge: z.boolean().meta({
    description:
      "Whether nothing was paid for the current period, so that the ad is not eligible: its first charge waits for the approval, or its period was voided and a new one is about to be charged.",
    examples: [false],
  }),
  stoppedAt: timestamp.nullable().meta({
    description:
      "When the time of the current period was stopped, by a pause or by a charge that failed; it continues when the ad is back. Null while it runs.",
  }),
  graceEndsAt: timestamp.nullable().meta({
    description:
      "When an ad whose renewal has failed goes off the air, or went; null unless a renewal is unpaid.",
  }),
  refundDueSince: timestamp.nullable().meta({
    description:
      "Since when the refund that was decided with its end waits for the payment processor, which did not make it at first; it is tried again until it is made. Null otherwise.",
  }),
  clientReference: z
    .string()
    .nullable()
    .meta({
      description: "The `clientReference` of its checkout session; null without one.",
      examples: ["order-1017"],
    }),
  metadata: z.record(z.string(), z.string()).meta({
    description: "The `metadata` of its checkout session.",
    examples: [{ campaign: "spring" }],
  }),
  tier: z.object({ id: z.string(), name: z.string(), weight: z.number() }),
  tierPrice: price,
});

const creative = {
  id: id("ad_01kahm4sw4fksra52s8bd8xkd1"),
  status: z.enum(AD_STATUSES),
  name: z.string().meta({ examples: ["Northwind Coffee"] }),
  websiteUrl: z.string().meta({ examples: ["https://example.com"] }),
  faviconUrl: z.string().nullable().meta({ description: "Null if none was found." }),
  reviewedAt: timestamp.nullable(),
  rejectionNote: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const purchaser = z.object({ id: z.string(), name: z.string(), email: z.string() });

/** An ad in a list of the management surface. */
export const listedAd = z.object({
  ...creative,
  subscription: subscription.extend({ advertiser: purchaser }),
});
export type ListedAd = z.output<typeof listedAd>;

/** What a value may be depends on its field, which a schema cannot say. */
export const VALUE_BY_TYPE =
  "By the field's type: a number for a Number, `true` or `false` for a Switch, and text for the rest: `YYYY-MM-DD` for a Date, `#rrggbb` for a Color, an option for a Select, an address for a Url or an Image.";

export const fieldValue = z.object({
  fieldId: z.string(),
  value: z.unknown().nonoptional().meta({ description: VALUE_BY_TYPE }),
});

/** Why an image on another site is not shown yet; absent once Placard has a copy. */
const copy = z.object({
  status: z.enum(["pending", "failed"]),
  problem: z.string().nullable().meta({ description: "Why the last attempt failed." }),
});

/**
 * A submitted value. An image on another site is copied, and visitors see only the copy. Until Placard has it, `value` is the
 * submitted address and `copy` its progress; afterwards `value` is the copy's address.
 */
export const shownValue = fieldValue.extend({
  copy: copy.exactOptional().meta({
    description:
      "Only on an image on another site that has no copy yet. The ad cannot be approved until then. To try again after `failed`, submit again.",
  }),
});

/** The submission for which changes were requested; present once the advertiser has submitted again. */
const previousSubmission = z.object({
  note: z.string().meta({ description: "The requested changes." }),
  name: z.string(),
  websiteUrl: z.string(),
  meta: z.array(shownValue),
});
export type PreviousSubmission = z.output<typeof previousSubmission>;

export const previous = previousSubmission.nullable().meta({
  description:
    "If changes were requested and the advertiser has submitted again: the submission that the note was about, until the next decision.",
});

/** An ad in the management view. */
export const ad = listedAd.extend({ version, previous, meta: z.array(shownValue) });
export type Ad = z.output<typeof ad>;

const counts = z.object({ impressions: whole, clicks: whole });

/** An ad in the list of the management surface. */
export const adInList = listedAd.extend({
  last30Days: counts.nullable().exactOptional().meta({
    description:
      "Valid events of the last 30 UTC days, today included. Only where `stats` or `sort` asks for it; null while stats are unavailable.",
  }),
  meta: z.array(shownValue).exactOptional().meta({ description: "Only with `include=meta`." }),
});
export type AdInList = z.output<typeof adInList>;

/** An ad in the advertiser's view. */
export const advertisersAd = z.object({
  ...creative,
  stats: counts,
  subscription: subscription.extend({ createdAt: timestamp, updatedAt: timestamp }),
});

/** Daily counts of valid events, zero-filled, oldest first. */
export const adStats = z.object({
  days: shownDays,
  rows: z.array(counts.extend({ date: timestamp.meta({ description: "Midnight UTC of the day." }) })),
  totals: counts,
});

/** Why an ad is served, or is not. */
export const eligibility = z.object({
  eligible: z.boolean(),
  reasons: z
    .array(
      z.object({
        code: z.string().meta({
          description:
            "`NOT_APPROVED`, `SUBSCRIPTION_<STATUS>`, `SUBSCRIPTION_NOT_CHARGED` or `PERIOD_ENDED`.",
        }),
        message: z.string(),
      }),
    )
    .meta({ description: "Empty when eligible." }),
  servingSince: timestamp
    .nullable()
    .meta({ description: "When the ad went live, now or the last time; null if it never has." }),
  servingUntil: timestamp
    .nullable()
    .meta({ description: "When it stopped or will stop being live; null while no end is known." }),
  graceEndsAt: timestamp.nullable().meta({
    description:
      "When the grace of a failed renewal ends: the ad is eligible until then, and `SUBSCRIPTION_PAST_DUE` or `SUBSCRIPTION_UNPAID` afterwards. Null unless a renewal is unpaid.",
  }),
});
export type Eligibility = z.output<typeof eligibility>;

const REASONS = perVerdict(({ verdict, reason }) => `- \`${verdict}\`: ${reason}`);

/** Everything that was accepted for an ad: what counts, and what does not and why. */
export const adTraffic = z.object({
  days: shownDays,
  rows: z
    .array(
      z.object({
        date: timestamp.meta({ description: "Midnight UTC of the day." }),
        kind: z.enum(EVENT_KINDS),
        verdict: z.enum(READ_VERDICTS).meta({ description: Object.values(REASONS).join("\n") }),
        events: whole,
      }),
    )
    .meta({ description: "Oldest first; an outcome that did not occur has no row." }),
  totals: z.object(perVerdict(() => whole)),
  visitors: whole.meta({
    description: "Different visitors with a valid event; one who comes on two days counts twice.",
  }),
});
export type AdTraffic = z.output<typeof adTraffic>;
