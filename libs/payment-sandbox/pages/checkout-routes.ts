import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { cardDeclined } from "../engine/api-error.ts";
import { DEFAULT_CARD } from "../engine/cards.ts";
import { answerForBank, applyPromotion, payCheckout } from "../engine/checkouts.ts";
import type { Engine } from "../engine/engine.ts";
import { readPromotion } from "../engine/promotions.ts";
import type { Checkout } from "../engine/record-kinds.ts";
import { bankPage, checkoutPage, successUrl } from "./checkout-page.ts";
import {
  chosenCard,
  emailAddress,
  type Fields,
  isProgram,
  type ObjectRoute,
  openObject,
  plainText,
  sendPage,
  submit,
  textOf,
  validFields,
} from "./forms.ts";

const payerFields = z.object({
  email: emailAddress,
  name: plainText("The name", 256),
});

/** Changes a checkout session, and returns it as it is then. */
type Step = (engine: Engine, checkout: Checkout, fields: Fields, request: FastifyRequest) => Checkout;

const pay: Step = (engine, checkout, fields, request) => {
  const given = { ...fields, email: checkout.session.customer_email ?? fields.email };
  const { email, name } = validFields(payerFields, given);
  const discounted = applyTypedCode(engine, checkout, fields);
  // A person sees the new total before it is charged.
  if (discounted !== checkout && !isProgram(request)) return discounted;
  return payCheckout(engine, discounted, { email, name: name || null, card: chosenCard(fields) });
};

const decline: Step = () => {
  throw cardDeclined();
};

const STEPS: Readonly<Record<string, Step>> = {
  complete: pay,
  decline,
  approve: (engine, checkout) => answerForBank(engine, checkout, true),
  refuse: (engine, checkout) => answerForBank(engine, checkout, false),
};

/** The page of a checkout session: pay, decline, apply a promotion code, and answer for the bank. */
export function checkoutRoutes(app: FastifyInstance, platform: Engine): void {
  app.get<ObjectRoute>("/sandbox/checkout/:id", (request, reply) => {
    const { engine, record } = openObject(platform, "checkout", request.params.id);
    return show(engine, record, {}, null, 200, reply);
  });

  app.post<ObjectRoute>("/sandbox/checkout/:id/promotion", (request, reply) =>
    attempt(platform, request, reply, (engine, checkout, fields) =>
      applyPromotion(engine, checkout, textOf(fields.promotionCode)),
    ),
  );

  for (const [path, step] of Object.entries(STEPS)) {
    app.post<ObjectRoute>(`/sandbox/checkout/:id/${path}`, (request, reply) =>
      attempt(platform, request, reply, (engine, checkout, fields) =>
        checkout.session.status === "complete" ? checkout : step(engine, checkout, fields, request),
      ),
    );
  }
}

/** Tries a step; answers with where to continue, or with the error. */
function attempt(
  platform: Engine,
  request: FastifyRequest<ObjectRoute>,
  reply: FastifyReply,
  step: Step,
): FastifyReply {
  const { engine, record } = openObject(platform, "checkout", request.params.id);
  return submit(
    request,
    (fields) => {
      const after = engine.write(() => step(engine, record, fields, request));
      const { status, amount_total: amountTotal, total_details: details } = after.session;
      const isComplete = status === "complete";
      const url = isComplete ? successUrl(after) : (after.session.url ?? "");
      if (!isProgram(request)) {
        return isComplete ? reply.redirect(url, 303) : show(engine, after, fields, null, 200, reply);
      }
      const waits = after.pendingSubscriptionId != null;
      if (isComplete || waits) return reply.send({ status: waits ? "requires_action" : status, url });
      return reply.send({ status, url, amountTotal, amountDiscount: details.amount_discount });
    },
    (error, fields) => show(engine, record, fields, error.message, error.status, reply),
  );
}

/** The session with the code that was typed in but not applied yet. */
function applyTypedCode(engine: Engine, checkout: Checkout, fields: Fields): Checkout {
  const typed = textOf(fields.promotionCode).trim();
  const applied = readPromotion(engine.records, checkout.promotionCodeId)?.promotion.code ?? "";
  return typed === "" || typed.toUpperCase() === applied ? checkout : applyPromotion(engine, checkout, typed);
}

function show(
  { records }: Engine,
  checkout: Checkout,
  fields: Fields,
  problem: string | null,
  status: number,
  reply: FastifyReply,
): FastifyReply {
  const targets = [new URL(successUrl(checkout)).origin];
  if (checkout.session.status === "open" && checkout.pendingSubscriptionId != null) {
    return sendPage(reply, status, bankPage(checkout, problem), targets);
  }
  const price = records.get("price", checkout.priceId);
  const promotion = readPromotion(records, checkout.promotionCodeId);
  const typed = {
    email: textOf(fields.email),
    name: textOf(fields.name),
    card: textOf(fields.card) || DEFAULT_CARD,
    promotionCode: textOf(fields.promotionCode) || (promotion?.promotion.code ?? ""),
    problem,
  };
  const offer = { price, product: records.get("product", price.product), promotion };
  return sendPage(reply, status, checkoutPage(checkout, offer, typed), targets);
}
