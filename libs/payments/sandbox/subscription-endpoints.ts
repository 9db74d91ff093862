import { z } from "zod";
import { invalidRequest, missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { endSubscription, itemOf } from "./lifecycle.ts";
import { pageOf } from "./pagination.ts";
import { boolean, expand, integer, listing, metadata, text } from "./parameters.ts";
import type { Subscription } from "./records.ts";
import type { State } from "./state.ts";

const ENDED = ["canceled", "incomplete_expired"];

const cancellationDetails = z.strictObject({
  comment: z.string().max(5000).optional(),
  feedback: z
    .enum([
      "customer_service",
      "low_quality",
      "missing_features",
      "other",
      "switched_service",
      "too_complex",
      "too_expensive",
      "unused",
    ])
    .optional(),
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
  cancellation_details: cancellationDetails.optional(),
  metadata: metadata.optional(),
  expand,
});

const cancelParams = z.strictObject({ cancellation_details: cancellationDetails.optional(), expand });
const retrieval = z.strictObject({ expand });
const subscriptionListing = z.strictObject({
  ...listing,
  customer: text.optional(),
  price: text.optional(),
  status: text.optional(),
});

export const SUBSCRIPTION_ENDPOINTS = [
  endpoint("GET", "/v1/subscriptions/:id", retrieval, ({ state }, _params, id) => subscriptionOf(state, id)),

  endpoint("GET", "/v1/subscriptions", subscriptionListing, ({ state }, params) => {
    const { customer, price, status } = params;
    const subscriptions = state
      .list("subscription")
      .filter((subscription) => customer === undefined || subscription.customer === customer)
      .filter((subscription) => price === undefined || itemOf(subscription).price.id === price)
      .filter((subscription) =>
        status === undefined
          ? !ENDED.includes(subscription.status)
          : status === "all" || subscription.status === status,
      );
    return pageOf(subscriptions, "/v1/subscriptions", params);
  }),

  endpoint("POST", "/v1/subscriptions/:id", changeParams, (world, params, id) => {
    const before = subscriptionOf(world.state, id);
    if (ENDED.includes(before.status)) {
      throw invalidRequest(
        "A canceled subscription can only update its cancellation_details and metadata.",
        "id",
      );
    }
    const after: Subscription = {
      ...before,
      ...scheduledEnd(before, params.cancel_at_period_end, world.now()),
      pause_collection:
        params.pause_collection === undefined ? before.pause_collection : params.pause_collection,
      metadata: { ...before.metadata, ...params.metadata },
    };
    after.cancellation_details = detailsOf(after, params.cancellation_details);
    world.state.save("subscription", after);
    world.emit("customer.subscription.updated", after, changesOf(before, after));
    return after;
  }),

  endpoint("DELETE", "/v1/subscriptions/:id", cancelParams, (world, params, id) => {
    const subscription = subscriptionOf(world.state, id);
    if (ENDED.includes(subscription.status)) throw missing("subscription", id);
    const details = detailsOf({ ...subscription, canceled_at: world.now() }, params.cancellation_details);
    return endSubscription(world, subscription, details);
  }),
];

function subscriptionOf(state: State, id: string): Subscription {
  const subscription = state.find("subscription", id);
  if (subscription === undefined) throw missing("subscription", id);
  return subscription;
}

type ScheduledEnd = Pick<Subscription, "cancel_at" | "cancel_at_period_end" | "canceled_at">;

function scheduledEnd(before: Subscription, atPeriodEnd: boolean | undefined, now: number): ScheduledEnd {
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

function changesOf(before: Subscription, after: Subscription): Readonly<Record<string, unknown>> {
  const later = new Map(Object.entries(after).map(([key, value]) => [key, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(before).filter(([key, value]) => later.get(key) !== JSON.stringify(value)),
  );
}
