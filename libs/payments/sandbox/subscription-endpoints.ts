import { z } from "zod";
import { invalidRequest, missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { itemOf } from "./new-subscription.ts";
import { pageOf } from "./pagination.ts";
import { boolean, datedListing, expand, integer, metadata, text } from "./parameters.ts";
import type { Subscription } from "./records.ts";
import { changeSubscription, endSubscription, resumeSubscription } from "./subscription-life.ts";
import type { World } from "./world.ts";

const ENDED = ["canceled", "incomplete_expired"] as const;
const LISTED = ["active", "trialing", "past_due", "unpaid", "incomplete", "paused"] as const;
const STATUSES = [...LISTED, ...ENDED] as const;

/** What Stripe lets a customer say of a cancellation. */
export const FEEDBACK = [
  "customer_service",
  "low_quality",
  "missing_features",
  "other",
  "switched_service",
  "too_complex",
  "too_expensive",
  "unused",
] as const;

const cancellationDetails = z.strictObject({
  comment: z.string().max(5000).optional(),
  feedback: z.enum(FEEDBACK).optional(),
});

const changeParams = z.strictObject({
  pause_collection: z
    .union([
      z.literal("").transform(() => null),
      z
        .strictObject({
          behavior: z.enum(["keep_as_draft", "mark_uncollectible", "void"]),
          resumes_at: integer.optional(),
        })
        .transform(({ behavior, resumes_at }) => ({ behavior, resumes_at: resumes_at ?? null })),
    ])
    .optional(),
  cancel_at_period_end: boolean.optional(),
  default_payment_method: text.optional(),
  cancellation_details: cancellationDetails.optional(),
  metadata: metadata.optional(),
  expand,
});

const cancelParams = z.strictObject({
  cancellation_details: cancellationDetails.optional(),
  invoice_now: boolean.optional(),
  prorate: boolean.optional(),
  expand,
});
const resumeParams = z.strictObject({
  billing_cycle_anchor: z.literal("now", { error: "The sandbox resumes from now on only" }).optional(),
  expand,
});
const retrieval = z.strictObject({ expand });
const subscriptionListing = z.strictObject({
  ...datedListing,
  customer: text.optional(),
  price: text.optional(),
  status: z.enum([...STATUSES, "all", "ended"]).optional(),
});

export const SUBSCRIPTION_ENDPOINTS = [
  endpoint("GET", "/v1/subscriptions/:id", retrieval, (world, _params, id) => subscriptionOf(world, id)),

  endpoint("GET", "/v1/subscriptions", subscriptionListing, ({ records }, params) => {
    const where = {
      customer: params.customer,
      "items.data[0].price.id": params.price,
      status: statusesOf(params.status),
    };
    return pageOf(records, "subscription", "/v1/subscriptions", params, where);
  }),

  endpoint("POST", "/v1/subscriptions/:id", changeParams, (world, params, id) => {
    const before = subscriptionOf(world, id);
    if (hasEnded(before)) {
      throw invalidRequest(
        "A canceled subscription can only update its cancellation_details and metadata.",
        "id",
      );
    }
    const method = params.default_payment_method;
    if (method !== undefined && world.records.find("paymentMethod", method) === undefined) {
      throw missing("paymentMethod", method, "default_payment_method");
    }
    const end = scheduledEnd(before, params.cancel_at_period_end, world.now());
    return changeSubscription(world, before, {
      ...end,
      cancellation_details: detailsOf({ ...before, ...end }, params.cancellation_details),
      default_payment_method: method ?? before.default_payment_method,
      metadata: { ...before.metadata, ...params.metadata },
      pause_collection:
        params.pause_collection === undefined ? before.pause_collection : params.pause_collection,
    });
  }),

  endpoint("POST", "/v1/subscriptions/:id/resume", resumeParams, (world, _params, id) => {
    const subscription = subscriptionOf(world, id);
    if (subscription.status !== "paused") {
      throw invalidRequest(`This subscription is ${subscription.status} and cannot be resumed.`);
    }
    return resumeSubscription(world, subscription);
  }),

  endpoint("DELETE", "/v1/subscriptions/:id", cancelParams, (world, params, id) => {
    const subscription = subscriptionOf(world, id);
    if (hasEnded(subscription)) throw missing("subscription", id);
    const details = detailsOf({ ...subscription, canceled_at: world.now() }, params.cancellation_details);
    return endSubscription(world, subscription, details);
  }),
];

function subscriptionOf({ records }: World, id: string): Subscription {
  const subscription = records.find("subscription", id);
  if (subscription === undefined) throw missing("subscription", id);
  return subscription;
}

function hasEnded({ status }: Subscription): boolean {
  return ENDED.some((ended) => ended === status);
}

/** Without a status the list has all that have not ended. */
function statusesOf(asked: string | undefined): readonly string[] {
  if (asked === undefined) return LISTED;
  if (asked === "all") return STATUSES;
  return asked === "ended" ? ENDED : [asked];
}

type ScheduledEnd = Pick<Subscription, "cancel_at" | "cancel_at_period_end" | "canceled_at">;

/** What scheduling a subscription's end, or calling that off, changes. */
export function scheduledEnd(
  before: Subscription,
  atPeriodEnd: boolean | undefined,
  now: number,
): ScheduledEnd {
  const { cancel_at, cancel_at_period_end, canceled_at } = before;
  if (atPeriodEnd === undefined || atPeriodEnd === cancel_at_period_end) {
    return { cancel_at, cancel_at_period_end, canceled_at };
  }
  if (!atPeriodEnd) return { cancel_at: null, cancel_at_period_end: false, canceled_at: null };
  return {
    cancel_at: itemOf(before).current_period_end,
    cancel_at_period_end: true,
    canceled_at: now,
  };
}

/** A cancellation has a reason as long as it stands; a comment and feedback come from who canceled. */
function detailsOf(
  subscription: Subscription,
  given: z.infer<typeof cancellationDetails> | undefined,
): NonNullable<Subscription["cancellation_details"]> {
  const before = subscription.cancellation_details;
  return {
    comment: given?.comment ?? before?.comment ?? null,
    feedback: given?.feedback ?? before?.feedback ?? null,
    feedback_option: null,
    reason: subscription.canceled_at === null ? null : "cancellation_requested",
  };
}
