import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiError, cardDeclined, invalidRequest, missing } from "./api-error.ts";
import { customerOf, paymentMethodOf } from "./billing.ts";
import { newPaymentMethod } from "./new-payment.ts";
import { chosenCard, type Fields, isProgram, readFields, sendPage, validFields } from "./page-io.ts";
import { settleWhatIsDue } from "./passage-of-time.ts";
import { portalPage } from "./portal-page.ts";
import type { PortalSession, Subscription } from "./records.ts";
import { FEEDBACK, scheduledEnd } from "./subscription-endpoints.ts";
import { changeSubscription } from "./subscription-life.ts";
import type { World } from "./world.ts";

const SHOWN = 50;
const ENDED = ["canceled", "incomplete_expired"];

const reasons = z.object({
  feedback: z.enum(["", ...FEEDBACK]).default(""),
  comment: z
    .string({ error: "The comment must be a text." })
    .max(500, "The comment is too long.")
    .refine(
      (text) => text.isWellFormed() && !text.includes("\0"),
      "The comment holds characters that are not allowed.",
    )
    .default(""),
});

interface PortalRoute {
  Params: { id: string; subscription: string };
}

/** A portal and the world of the account that it belongs to. */
interface Visit {
  readonly world: World;
  readonly portal: PortalSession;
}

/** The customer portal: change the card, cancel or keep a subscription, see the invoices. */
export function portalRoutes(app: FastifyInstance, platform: World): void {
  app.get<PortalRoute>("/sandbox/portal/:id", (request, reply) => {
    return show(visit(platform, request.params.id), null, 200, reply);
  });

  app.post<PortalRoute>("/sandbox/portal/:id/card", (request, reply) => {
    return attempt(visit(platform, request.params.id), request, reply, (at, fields) =>
      changeCard(at, fields),
    );
  });

  app.post<PortalRoute>("/sandbox/portal/:id/subscriptions/:subscription/cancel", (request, reply) => {
    return attempt(visit(platform, request.params.id), request, reply, (at, fields) => {
      const { feedback, comment } = validFields(reasons, fields);
      const one = subscriptionOf(at, request.params.subscription);
      changeSubscription(at.world, one, {
        ...scheduledEnd(one, true, at.world.now()),
        cancellation_details: {
          comment: comment === "" ? null : comment,
          feedback: feedback === "" ? null : feedback,
          feedback_option: null,
          reason: "cancellation_requested",
        },
      });
    });
  });

  app.post<PortalRoute>("/sandbox/portal/:id/subscriptions/:subscription/keep", (request, reply) => {
    return attempt(visit(platform, request.params.id), request, reply, (at) => {
      const one = subscriptionOf(at, request.params.subscription);
      changeSubscription(at.world, one, {
        ...scheduledEnd(one, false, at.world.now()),
        cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
      });
    });
  });
}

function changeCard({ world, portal }: Visit, fields: Fields): void {
  const card = chosenCard(fields);
  if (card.inPerson === "declined") throw cardDeclined(card.declineCode);
  const method = newPaymentMethod(card, customerOf(world, portal.customer), world.now());
  world.records.save("paymentMethod", method);
  for (const one of subscriptionsOf(world, portal)) {
    if (ENDED.includes(one.status)) continue;
    changeSubscription(world, one, { default_payment_method: method.id });
  }
}

function attempt(
  at: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
  step: (at: Visit, fields: Fields) => void,
): FastifyReply {
  try {
    const fields = readFields(request);
    at.world.write(() => step(at, fields));
    return isProgram(request)
      ? reply.send({ success: true })
      : reply.redirect(`/sandbox/portal/${at.portal.id}`, 303);
  } catch (error) {
    if (!(error instanceof ApiError) || isProgram(request)) throw error;
    return show(at, error.message, error.status, reply);
  }
}

function show(
  { world, portal }: Visit,
  problem: string | null,
  status: number,
  reply: FastifyReply,
): FastifyReply {
  const subscriptions = subscriptionsOf(world, portal);
  const invoices = world.records.list("invoice", { where: { customer: portal.customer }, limit: SHOWN });
  const card = subscriptions.map((one) => paymentMethodOf(world, one)).find((method) => method !== undefined);
  return sendPage(reply, status, portalPage({ portal, subscriptions, invoices, card, problem }));
}

function subscriptionsOf(world: World, { customer }: PortalSession): Subscription[] {
  return world.records.list("subscription", { where: { customer }, limit: SHOWN });
}

function subscriptionOf({ world, portal }: Visit, id: string): Subscription {
  const subscription = world.records.find("subscription", id);
  if (subscription === undefined || subscription.customer !== portal.customer)
    throw missing("subscription", id);
  if (ENDED.includes(subscription.status)) throw invalidRequest("This subscription has ended.");
  return subscription;
}

function visit(platform: World, id: string): Visit {
  settleWhatIsDue(platform);
  const world = platform.within(platform.state.records.ownerOf("portal", id) ?? null);
  const portal = world.records.find("portal", id);
  if (portal === undefined) throw missing("billing_portal.session", id);
  return { world, portal };
}
