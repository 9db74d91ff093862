import type { FastifyInstance } from "fastify";
import { asMailAddress } from "#libs/domain/email-address.ts";
import { addressKeyOf, notFound, SMALL_BODY } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { limitAddress, takeFromAddress } from "../../api/address-limit.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { formOf, sendPage } from "../page/http.ts";
import type { Site } from "../page/layout.ts";
import { processorNow } from "../ports.ts";
import { findPublisher, type Publisher } from "../queries.ts";
import { adsPage, askPage, sentPage, staleLinkPage } from "./pages.ts";
import { findBought, findLinkOwner } from "./queries.ts";

const PATH = "/advertise/:workspace/link";
/** How often one client address may ask. */
const ASK_RATE: RateRule = { name: "lost-link", points: 10, durationSeconds: 10 * 60 };
/** To one email address in one workspace: nobody fills somebody else's mailbox. */
const MAIL_RATE: RateRule = { name: "mail-link", points: 3, durationSeconds: 60 * 60 };

interface LinkRoute {
  readonly Params: { readonly workspace: string };
}

interface AdsRoute {
  readonly Params: { readonly workspace: string; readonly token: string };
}

/**
 * "Send me my link", and the page with all ads of an advertiser that the emailed link leads to. Whether an address has
 * bought anything shows neither in the answer nor in its time: a background task looks it up.
 */
export function lostLinkRoutes(scope: FastifyInstance, site: Site): void {
  const { ports } = site;

  async function publisherOf(workspace: string): Promise<Publisher> {
    const publisher = await findPublisher(ports.db, workspace);
    if (publisher === undefined) throw notFound("Workspace");
    return publisher;
  }

  scope.get<LinkRoute>(PATH, async (request, reply) => {
    await takeFromAddress(ports.limits, ports.checkoutRates.read, addressKeyOf(request));
    const publisher = await publisherOf(request.params.workspace);
    return sendPage(reply, site, 200, () => askPage(publisher, null));
  });

  const onRequest = limitAddress(ports, ASK_RATE);
  scope.post<LinkRoute>(PATH, { onRequest, bodyLimit: SMALL_BODY }, async (request, reply) => {
    const publisher = await publisherOf(request.params.workspace);
    const typed = (formOf(request).get("email") ?? "").trim();
    // As the checkout takes addresses: any address that could buy can ask for its link.
    const email = asMailAddress(typed);
    if (email === null) return sendPage(reply, site, 422, () => askPage(publisher, typed));
    const { allowed } = await ports.limits.consume(MAIL_RATE, `${publisher.id} ${email}`);
    if (allowed) await enqueue(ports.db, "send-links", { workspaceId: publisher.id, email });
    return sendPage(reply, site, 200, () => sentPage(publisher));
  });

  scope.get<AdsRoute>("/advertise/:workspace/ads/:token", async (request, reply) => {
    await takeFromAddress(ports.limits, ports.checkoutRates.read, addressKeyOf(request));
    const { workspace, token } = request.params;
    const publisher = await publisherOf(workspace);
    const now = new Date(ports.now());
    const advertiserId = await findLinkOwner(ports.db, publisher.id, token, now);
    if (advertiserId === undefined) return sendPage(reply, site, 404, () => staleLinkPage(publisher));
    return sendPage(reply, site, 200, async () => {
      const bought = await findBought(ports.db, publisher.id, advertiserId);
      return adsPage(publisher, bought, processorNow(ports));
    });
  });
}
