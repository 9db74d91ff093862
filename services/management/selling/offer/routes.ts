import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressKeyOf, notFound, SMALL_BODY } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { limitAddress, takeFromAddress } from "../../api/address-limit.ts";
import { NOT_AVAILABLE, startCheckout } from "../../billing/checkout/sale.ts";
import { listFieldsForAdvertisers } from "../../catalogue/fields/queries.ts";
import { presentField } from "../../catalogue/fields/values.ts";
import { formOf, sendPage, sendRefusal } from "../page/http.ts";
import { offerPath, type Site } from "../page/layout.ts";
import { type Refusal, refusalOf, refusalPage } from "../page/refusal.ts";
import { findMediaKit, findPublisher, findTiersOnSale, type Publisher } from "../queries.ts";
import { createAudience } from "./audience.ts";
import { offerPage } from "./offer-page.ts";

interface OfferRoute {
  readonly Params: { readonly workspace: string };
  readonly Querystring: { readonly billing?: unknown };
}

const PATH = "/advertise/:workspace";
const OFFER_RATE: RateRule = { name: "advertise", points: 120, durationSeconds: 60 };

/** Shown in place of a suspended publisher's offer. */
const CLOSED: Refusal = {
  status: 409,
  title: "Not available right now",
  problems: { formErrors: [NOT_AVAILABLE], fieldErrors: {} },
};

/** The offer page of a publisher, and the start of a purchase. */
export function offerRoutes(scope: FastifyInstance, site: Site): void {
  const { ports } = site;
  const audienceOf = createAudience(ports);

  scope.get<OfferRoute>(PATH, async (request, reply) => {
    await takeFromAddress(ports.limits, OFFER_RATE, addressKeyOf(request));
    const publisher = await publisherOf(request);
    return await sendOffer(reply, publisher, request.query.billing, null);
  });

  const onRequest = limitAddress(ports, ports.checkoutRates.start);
  scope.post<OfferRoute>(PATH, { onRequest, bodyLimit: SMALL_BODY }, async (request, reply) => {
    const publisher = await publisherOf(request);
    try {
      const { url } = await startCheckout(ports, {
        workspaceId: publisher.id,
        tierPriceId: formOf(request).get("tierPriceId") ?? "",
        email: undefined,
        cancelUrl: `${ports.publicUrl.origin}${offerPath(publisher)}`,
        intent: crypto.randomUUID(),
        caller: addressKeyOf(request),
      });
      return await reply.header("cache-control", "no-store").redirect(url, 303);
    } catch (thrown) {
      return await sendOffer(reply, publisher, null, refusalToSell(refusalOf(thrown, reply, ports.logger)));
    }
  });

  async function publisherOf({ params }: FastifyRequest<OfferRoute>): Promise<Publisher> {
    const publisher = await findPublisher(ports.db, params.workspace);
    if (publisher === undefined) throw notFound("Workspace");
    return publisher;
  }

  async function sendOffer(
    reply: FastifyReply,
    publisher: Publisher,
    billing: unknown,
    refusal: Refusal | null,
  ): Promise<FastifyReply> {
    if (publisher.suspended_at !== null) return sendRefusal(reply, site, CLOSED.status, refusalPage(CLOSED));
    const audience = await audienceOf(publisher.id);
    return await sendPage(reply, site, refusal?.status ?? 200, async () => {
      const [tiers, fields, kit] = await Promise.all([
        findTiersOnSale(ports.db, publisher.id),
        listFieldsForAdvertisers(ports.db, publisher.id),
        findMediaKit(ports.db, publisher.id),
      ]);
      return offerPage({
        publisher,
        tiers,
        fields: fields.map(presentField),
        publicUrl: ports.publicUrl,
        uploads: ports.uploads,
        kit,
        audience,
        trialDays: ports.sales.trialDays,
        period: typeof billing === "string" ? billing : null,
        refusal,
      });
    });
  }
}

/** A 404 here is about the price, not the page. */
function refusalToSell(refusal: Refusal): Refusal {
  if (refusal.status !== 404) return { ...refusal, title: "Checkout couldn't be started" };
  const problems = { formErrors: ["Choose another one."], fieldErrors: {} };
  return { ...refusal, title: "This price is no longer on sale", problems };
}
