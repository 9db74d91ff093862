import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressKeyOf, notFound } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { audienceOf } from "../../audience/audience.ts";
import { START_RATE, takeFromAddress } from "../../checkout/address-limit.ts";
import { NOT_AVAILABLE, startCheckout } from "../../checkout/sale.ts";
import { formOf } from "../page/form-body.ts";
import { offerPath } from "../page/layout.ts";
import { type Refusal, refusalOf, refusalPage } from "../page/refusal.ts";
import { sendPage } from "../page/send.ts";
import type { Site } from "../page/site.ts";
import { findPublisher, findTiersOnSale, type Publisher } from "../queries.ts";
import { offerPage } from "./offer-page.ts";

interface OfferRoute {
  readonly Params: { readonly workspace: string };
  readonly Querystring: { readonly billing?: unknown };
}

const PATH = "/advertise/:workspace";
const LOOK_RATE: RateRule = { name: "advertise", points: 120, durationSeconds: 60 };

/** Instead of what a suspended publisher sells. */
const CLOSED: Refusal = {
  status: 409,
  title: "Not available at present",
  problems: { formErrors: [NOT_AVAILABLE], fieldErrors: {} },
};

/** What a publisher sells, and the beginning of a purchase. */
export function offerRoutes(scope: FastifyInstance, site: Site): void {
  const { services } = site;

  scope.get<OfferRoute>(PATH, async (request, reply) => {
    await takeFromAddress(services, LOOK_RATE, addressKeyOf(request));
    const publisher = await publisherOf(request);
    return await sendOffer(reply, publisher, request.query.billing, null);
  });

  scope.post<OfferRoute>(PATH, async (request, reply) => {
    await takeFromAddress(services, START_RATE, addressKeyOf(request));
    const publisher = await publisherOf(request);
    try {
      const { url } = await startCheckout(services, {
        workspaceId: publisher.id,
        tierPriceId: formOf(request).get("tierPriceId") ?? "",
        email: undefined,
        cancelUrl: `${services.publicUrl.origin}${offerPath(publisher)}`,
        intent: crypto.randomUUID(),
      });
      return await reply.header("cache-control", "no-store").redirect(url, 303);
    } catch (thrown) {
      return await sendOffer(reply, publisher, null, refusalToSell(refusalOf(thrown, reply, services)));
    }
  });

  async function publisherOf({ params }: FastifyRequest<OfferRoute>): Promise<Publisher> {
    const publisher = await findPublisher(services.db, params.workspace);
    if (publisher === undefined) throw notFound("Workspace");
    return publisher;
  }

  async function sendOffer(
    reply: FastifyReply,
    publisher: Publisher,
    billing: unknown,
    refusal: Refusal | null,
  ): Promise<FastifyReply> {
    if (publisher.suspended_at !== null)
      return sendPage(reply, site, CLOSED.status, refusalPage(CLOSED, null));
    const [tiers, audience] = await Promise.all([
      findTiersOnSale(services.db, publisher.id),
      audienceOf(services, publisher.id),
    ]);
    const page = offerPage({
      publisher,
      tiers,
      audience,
      trialDays: services.sales.trialDays,
      period: typeof billing === "string" ? billing : null,
      refusal,
    });
    return sendPage(reply, site, refusal?.status ?? 200, page);
  }
}

/** What is missing is not the page but the price. */
function refusalToSell(refusal: Refusal): Refusal {
  if (refusal.status !== 404) return { ...refusal, title: "The purchase did not begin" };
  const problems = { formErrors: ["Choose another one."], fieldErrors: {} };
  return { ...refusal, title: "This price is not on sale", problems };
}
