import { z } from "zod";
import { invalidRequest, missing } from "../engine/api-error.ts";
import { itemOf } from "../engine/periods.ts";
import { changePrice } from "../engine/price-change.ts";
import type { Subscription } from "../engine/records.ts";
import {
  CANCELLATION_FEEDBACK,
  changeSubscription,
  endSubscription,
  hasEnded,
  KEPT,
} from "../engine/subscriptions.ts";
import { beginPeriod, endTrial, moveTrialEnd } from "../engine/trials.ts";
import {
  boolean,
  endpoint,
  expand,
  integer,
  listing,
  metadata,
  pageOf,
  retrieval,
  text,
} from "./endpoint.ts";

/** Seconds. */
const LONGEST_TRIAL = 730 * 86_400;
const ENDED = ["canceled", "incomplete_expired"] as const;
const CHANGES_BILLED = {
  always_invoice: "now",
  create_prorations: "with renewal",
  none: "never",
} as const;
const LISTED = ["active", "trialing", "past_due", "unpaid", "incomplete", "paused"] as const;

const cancellationDetails = z
  .strictObject({
    comment: z.string().max(5000).optional(),
    feedback: z.enum(CANCELLATION_FEEDBACK).optional(),
  })
  .default({});

const changeParams = z.strictObject({
  pause_collection: z
    .union([
      z.literal("").transform(() => null),
      z
        .strictObject({ behavior: z.literal("void"), resumes_at: integer.optional() })
        .transform(({ behavior, resumes_at }) => ({ behavior, resumes_at: resumes_at ?? null })),
    ])
    .optional(),
  cancel_at: z.union([z.literal("").transform(() => null), integer]).optional(),
  cancel_at_period_end: boolean.optional(),
  cancellation_details: cancellationDetails,
  trial_end: z.union([z.literal("now"), integer]).optional(),
  billing_cycle_anchor: z.strictObject({ type: z.literal("now") }).optional(),
  items: z
    .array(z.strictObject({ id: text, price: text }))
    .length(1)
    .optional(),
  proration_behavior: z.enum(["none", "create_prorations", "always_invoice"]).optional(),
  off_session: boolean.optional(),
  metadata: metadata.optional(),
  expand,
});
const cancelParams = z.strictObject({ cancellation_details: cancellationDetails, expand });
const subscriptionListing = z.strictObject({
  ...listing,
  customer: text.optional(),
  status: z.literal("all").optional(),
});

export const SUBSCRIPTION_ENDPOINTS = [
  endpoint("GET", "/v1/subscriptions/:id", retrieval, ({ records }, _params, id) =>
    records.get("subscription", id),
  ),

  // Without a status the list leaves out those that have ended.
  endpoint("GET", "/v1/subscriptions", subscriptionListing, (engine, params) => {
    const status = params.status === "all" ? [...LISTED, ...ENDED] : LISTED;
    const where = { customer: params.customer, status };
    return pageOf(engine, "subscription", "/v1/subscriptions", params, where);
  }),

  endpoint("POST", "/v1/subscriptions/:id", changeParams, (engine, params, id) => {
    const before = engine.records.get("subscription", id);
    if (hasEnded(before)) {
      throw invalidRequest(
        "A canceled subscription can only update its cancellation_details and metadata.",
        "id",
      );
    }
    const { pause_collection = before.pause_collection } = params;
    const scheduled = {
      ...before,
      ...scheduledEnd(before, params.cancel_at_period_end, engine.now()),
      ...(params.cancel_at === undefined ? {} : { cancel_at: params.cancel_at }),
      pause_collection,
    };
    const cancellation_details = detailsOf(scheduled, params.cancellation_details);
    const merged = mergedMetadata(before.metadata, params.metadata);
    const changed = { ...scheduled, cancellation_details, metadata: merged };
    const [moved] = params.items ?? [];
    if (moved !== undefined) {
      const price = engine.records.get("price", moved.price, "items[0][price]");
      const billed = CHANGES_BILLED[params.proration_behavior ?? "create_prorations"];
      return changePrice(engine, before, changed, { price, billed });
    }
    if (params.billing_cycle_anchor !== undefined) {
      if (before.status === "trialing" || params.trial_end !== undefined) {
        throw invalidRequest("The billing cycle of a trial is anchored at its end.", "billing_cycle_anchor");
      }
      return beginPeriod(engine, before, changed);
    }
    if (params.trial_end === undefined) return changeSubscription(engine, before, changed);
    if (params.trial_end === "now") return endTrial(engine, before, changed);
    if (params.trial_end <= engine.now()) {
      throw invalidRequest(
        "Invalid timestamp: must be an integer Unix timestamp in the future.",
        "trial_end",
      );
    }
    if (params.trial_end > engine.now() + LONGEST_TRIAL) {
      throw invalidRequest("The maximum number of trial period days is 730 (2 years).", "trial_end");
    }
    return moveTrialEnd(engine, before, changed, params.trial_end);
  }),

  endpoint("DELETE", "/v1/subscriptions/:id", cancelParams, (engine, params, id) => {
    const subscription = engine.records.get("subscription", id);
    if (hasEnded(subscription)) throw missing("subscription", id);
    return endSubscription(engine, subscription, params.cancellation_details);
  }),
];

/** Keys that are given replace those that were; an empty text removes one. */
function mergedMetadata(
  before: Subscription["metadata"],
  given: z.infer<typeof metadata> = {},
): Subscription["metadata"] {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ""));
}

/** The reason lasts as long as the cancellation; comment and feedback come from the person who cancels. */
function detailsOf(
  { canceled_at, cancellation_details: before }: Subscription,
  given: z.infer<typeof cancellationDetails>,
): Subscription["cancellation_details"] {
  return {
    comment: given.comment ?? before.comment,
    feedback: given.feedback ?? before.feedback,
    reason: canceled_at === null ? null : "cancellation_requested",
  };
}

/** The change that schedules a subscription's end with its period, or undoes that. */
function scheduledEnd(
  before: Subscription,
  atPeriodEnd: boolean | undefined,
  now: number,
): Partial<Subscription> {
  if (atPeriodEnd === undefined || atPeriodEnd === before.cancel_at_period_end) return {};
  if (!atPeriodEnd) return KEPT;
  const { current_period_end: end } = itemOf(before);
  return { cancel_at: end, cancel_at_period_end: true, canceled_at: now };
}
