import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { cardDeclined, invalidRequest, missing } from "../engine/api-error.ts";
import type { Engine } from "../engine/engine.ts";
import { keepCard } from "../engine/payments.ts";
import { itemOf } from "../engine/periods.ts";
import type { PortalSession, Subscription } from "../engine/records.ts";
import {
  CANCELLATION_FEEDBACK,
  changeSubscription,
  hasEnded,
  isCanceling,
  KEPT,
} from "../engine/subscriptions.ts";
import {
  chosenCard,
  type Fields,
  isProgram,
  openObject,
  plainText,
  sendPage,
  submit,
  validFields,
} from "./forms.ts";
import { portalPage } from "./portal-page.ts";

const SHOWN = 50;

const reasons = z.object({
  feedback: z.enum(["", ...CANCELLATION_FEEDBACK]).default(""),
  comment: plainText("The comment", 500),
});

interface PortalRoute {
  Params: { id: string; subscription: string };
}

/** The customer portal: change the card, cancel or resume a subscription, see the invoices. */
export function portalRoutes(app: FastifyInstance, platform: Engine): void {
  app.get<PortalRoute>("/sandbox/portal/:id", (request, reply) => {
    const { engine, record } = openObject(platform, "portal", request.params.id);
    return show(engine, record, null, 200, reply);
  });

  app.post<PortalRoute>("/sandbox/portal/:id/card", (request, reply) =>
    attempt(platform, request, reply, changeCard),
  );

  app.post<PortalRoute>("/sandbox/portal/:id/subscriptions/:subscription/cancel", (request, reply) =>
    attempt(platform, request, reply, (engine, portal, fields) => {
      const { feedback, comment } = validFields(reasons, fields);
      const one = subscriptionOf(engine, portal, request.params.subscription);
      const details = { comment: comment || null, feedback: feedback || null };
      changeSubscription(engine, one, {
        ...canceledInPortal(one, engine.now()),
        cancellation_details: { ...details, reason: "cancellation_requested" },
      });
    }),
  );

  app.post<PortalRoute>("/sandbox/portal/:id/subscriptions/:subscription/keep", (request, reply) =>
    attempt(platform, request, reply, (engine, portal) => {
      const one = subscriptionOf(engine, portal, request.params.subscription);
      changeSubscription(engine, one, {
        ...KEPT,
        cancellation_details: { comment: null, feedback: null, reason: null },
      });
    }),
  );
}

/**
 * The change that a cancellation makes: with flexible billing, the default, it writes the end of the period as a time, which does not move
 * with the period (https://docs.stripe.com/billing/subscriptions/billing-mode/compare).
 */
function canceledInPortal(before: Subscription, now: number): Partial<Subscription> {
  const { current_period_end: end } = itemOf(before);
  return isCanceling(before) ? {} : { cancel_at: end, canceled_at: now };
}

function changeCard(engine: Engine, portal: PortalSession, fields: Fields): void {
  const card = chosenCard(fields);
  if (card.onSession === "declined") throw cardDeclined(card.declineCode);
  const method = keepCard(engine, card, portal.customer);
  for (const one of subscriptionsOf(engine, portal)) {
    if (!hasEnded(one)) changeSubscription(engine, one, { default_payment_method: method.id });
  }
}

function attempt(
  platform: Engine,
  request: FastifyRequest<PortalRoute>,
  reply: FastifyReply,
  step: (engine: Engine, portal: PortalSession, fields: Fields) => void,
): FastifyReply {
  const { engine, record } = openObject(platform, "portal", request.params.id);
  return submit(
    request,
    (fields) => {
      engine.write(() => step(engine, record, fields));
      return isProgram(request)
        ? reply.send({ success: true })
        : reply.redirect(`/sandbox/portal/${record.id}`, 303);
    },
    (error) => show(engine, record, error.message, error.status, reply),
  );
}

function show(
  engine: Engine,
  portal: PortalSession,
  problem: string | null,
  status: number,
  reply: FastifyReply,
): FastifyReply {
  const { records } = engine;
  const subscriptions = subscriptionsOf(engine, portal);
  const invoices = records.list("invoice", { where: { customer: portal.customer }, limit: SHOWN });
  const card = subscriptions
    .map((one) => records.find("paymentMethod", one.default_payment_method ?? ""))
    .find((method) => method !== undefined);
  return sendPage(reply, status, portalPage({ portal, subscriptions, invoices, card, problem }));
}

function subscriptionsOf({ records }: Engine, { customer }: PortalSession): Subscription[] {
  return records.list("subscription", { where: { customer }, limit: SHOWN });
}

function subscriptionOf({ records }: Engine, portal: PortalSession, id: string): Subscription {
  const subscription = records.get("subscription", id);
  if (subscription.customer !== portal.customer) throw missing("subscription", id);
  if (hasEnded(subscription)) throw invalidRequest("This subscription has ended.");
  return subscription;
}
