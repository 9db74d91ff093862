import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiError, cardDeclined, missing } from "./api-error.ts";
import { DEFAULT_CARD } from "./cards.ts";
import { answerForBank, payCheckout } from "./checkout-life.ts";
import { type Attempt, bankPage, checkoutPage, type Offer, successUrl } from "./checkout-page.ts";
import { applyPromotion } from "./checkout-promotion.ts";
import { chosenCard, type Fields, isProgram, readFields, sendPage, textOf, validFields } from "./page-io.ts";
import { settleWhatIsDue } from "./passage-of-time.ts";
import { couponOf } from "./promotion-codes.ts";
import type { Checkout } from "./records.ts";
import type { World } from "./world.ts";

const payerFields = z.object({
  email: z.email({ error: "This is not an e-mail address." }).max(254, "This e-mail address is too long."),
  name: z
    .string({ error: "The name must be a text." })
    .trim()
    .max(256, "The name is too long.")
    .refine(
      (name) => name.isWellFormed() && !name.includes("\0"),
      "The name holds characters that are not allowed.",
    )
    .default(""),
});

interface SessionRoute {
  Params: { id: string };
}

/** A session and the world of the account that it belongs to. */
interface Visit {
  readonly world: World;
  readonly checkout: Checkout;
}

/** The page of a checkout session: pay, decline, take a promotion code, and the bank's question. */
export function checkoutRoutes(app: FastifyInstance, platform: World): void {
  app.get<SessionRoute>("/sandbox/checkout/:id", (request, reply) => {
    return show(visit(platform, request.params.id), {}, null, 200, reply);
  });

  app.post<SessionRoute>("/sandbox/checkout/:id/complete", (request, reply) => {
    return attempt(visit(platform, request.params.id), request, reply, ({ world, checkout }, fields) => {
      if (checkout.session.status === "complete") return checkout;
      const given = { ...fields, email: checkout.session.customer_email ?? fields.email };
      const { email, name } = validFields(payerFields, given);
      const discounted = withTypedCode(world, checkout, fields);
      // A person is shown what is now to be paid before it is.
      if (discounted !== checkout && !isProgram(request)) return discounted;
      const card = chosenCard(fields);
      return payCheckout(world, discounted, { email, name: name === "" ? null : name, card });
    });
  });

  app.post<SessionRoute>("/sandbox/checkout/:id/promotion", (request, reply) => {
    return attempt(visit(platform, request.params.id), request, reply, ({ world, checkout }, fields) =>
      applyPromotion(world, checkout, textOf(fields.promotionCode)),
    );
  });

  app.post<SessionRoute>("/sandbox/checkout/:id/decline", (request, reply) => {
    return attempt(visit(platform, request.params.id), request, reply, ({ checkout }) => {
      if (checkout.session.status === "complete") return checkout;
      throw cardDeclined();
    });
  });

  for (const [path, approves] of [
    ["approve", true],
    ["refuse", false],
  ] as const) {
    app.post<SessionRoute>(`/sandbox/checkout/:id/${path}`, (request, reply) => {
      return attempt(visit(platform, request.params.id), request, reply, ({ world, checkout }) => {
        if (checkout.session.status === "complete") return checkout;
        return answerForBank(world, checkout, approves);
      });
    });
  }
}

/** Tries a step; answers with where to go next, or with what went wrong. */
function attempt(
  { world, checkout }: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
  step: (visit: Visit, fields: Fields) => Checkout,
): FastifyReply {
  const program = isProgram(request);
  let fields: Fields = {};
  try {
    fields = readFields(request);
    const after = world.write(() => step({ world, checkout }, fields));
    const { status, amount_total: amountTotal, total_details: details } = after.session;
    const url = status === "complete" ? successUrl(after) : (after.session.url ?? "");
    if (!program && status === "complete") return reply.redirect(url, 303);
    if (!program) return show({ world, checkout: after }, fields, null, 200, reply);
    const waits = after.pendingSubscriptionId != null;
    if (status === "complete" || waits)
      return reply.send({ status: waits ? "requires_action" : status, url });
    return reply.send({ status, url, amountTotal, amountDiscount: details?.amount_discount ?? 0 });
  } catch (error) {
    if (!(error instanceof ApiError) || program) throw error;
    return show({ world, checkout }, fields, error.message, error.status, reply);
  }
}

/** The session with the code that was typed in but not applied. */
function withTypedCode(world: World, checkout: Checkout, fields: Fields): Checkout {
  const typed = textOf(fields.promotionCode).trim();
  const applied = promotionOf(world, checkout)?.code ?? "";
  return typed === "" || typed.toUpperCase() === applied ? checkout : applyPromotion(world, checkout, typed);
}

function show(
  { world, checkout }: Visit,
  fields: Fields,
  problem: string | null,
  status: number,
  reply: FastifyReply,
): FastifyReply {
  const targets = [new URL(successUrl(checkout)).origin];
  if (checkout.session.status === "open" && checkout.pendingSubscriptionId != null) {
    return sendPage(reply, status, bankPage(checkout, problem), targets);
  }
  const offer = offerOf(world, checkout);
  const typed: Attempt = {
    email: textOf(fields.email),
    name: textOf(fields.name),
    card: textOf(fields.card) || DEFAULT_CARD,
    promotionCode: textOf(fields.promotionCode) || (offer.promotion?.code ?? ""),
    problem,
  };
  return sendPage(reply, status, checkoutPage(checkout, offer, typed), targets);
}

function offerOf(world: World, checkout: Checkout): Offer {
  const price = world.records.find("price", checkout.priceId);
  const product = world.records.find("product", String(price?.product));
  if (price === undefined || product === undefined) throw missing("price", checkout.priceId);
  return { price, product, promotion: promotionOf(world, checkout) };
}

function promotionOf({ records }: World, checkout: Checkout): Offer["promotion"] {
  const promotion = records.find("promotionCode", checkout.promotionCodeId ?? "");
  const coupon = promotion === undefined ? undefined : couponOf(records, promotion);
  return promotion === undefined || coupon === undefined ? null : { code: promotion.code, coupon };
}

function visit(platform: World, id: string): Visit {
  settleWhatIsDue(platform);
  const owner = platform.state.records.ownerOf("checkout", id);
  const world = platform.within(owner ?? null);
  const checkout = world.records.find("checkout", id);
  if (checkout === undefined) throw missing("checkout.session", id);
  return { world, checkout };
}
