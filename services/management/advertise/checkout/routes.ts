import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressKeyOf } from "#libs/http/index.ts";
import { SESSION_RATE, takeFromAddress } from "../../checkout/address-limit.ts";
import { submitAd } from "../../checkout/submission.ts";
import { findBillingPage } from "../../mails/billing/page.ts";
import { formOf } from "../page/form-body.ts";
import type { PageContent } from "../page/layout.ts";
import { refusalOf } from "../page/refusal.ts";
import { sendPage } from "../page/send.ts";
import type { Site } from "../page/site.ts";
import { checkSubmission } from "./check.ts";
import { draftOfForm, submissionOfForm } from "./draft.ts";
import { areChangesAsked, hasAd, hasEndedNow, isPaid } from "./facts.ts";
import { figuresOf } from "./figures.ts";
import { statusPage } from "./status-page.ts";
import { submissionPage } from "./submission-page.ts";
import { openVisit, sessionPath, type Visit } from "./visit.ts";
import { expiredPage, waitingPage } from "./waiting-page.ts";

interface SessionRoute {
  readonly Params: { readonly workspace: string; readonly sessionId: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

const PATH = "/advertise/:workspace/checkout/:sessionId";

/** What an advertiser does after payment. The session's id in the address is what lets them in. */
export function checkoutRoutes(scope: FastifyInstance, site: Site): void {
  const { services } = site;

  async function arrive(request: FastifyRequest<SessionRoute>): Promise<Visit> {
    await takeFromAddress(services, SESSION_RATE, addressKeyOf(request));
    return await openVisit(services, request.params);
  }

  scope.get<SessionRoute>(PATH, async (request, reply) => {
    const { query } = request;
    const visit = await arrive(request);
    if (!isPaid(visit)) return sendUnpaid(reply, site, visit, query.look);
    if (!hasAd(visit) || (areChangesAsked(visit) && !hasEndedNow(visit, services.now()))) {
      return sendPage(reply, site, 200, submissionPage(site, visit, null));
    }
    const figures = await figuresOf(services, visit.ad, query.days);
    return sendPage(
      reply,
      site,
      200,
      statusPage(site, { visit, figures, isSaved: query.saved !== undefined }),
    );
  });

  scope.get<SessionRoute>(`${PATH}/edit`, async (request, reply) => {
    const visit = await arrive(request);
    const canChange = isPaid(visit) && hasAd(visit) && visit.ad.status !== "Rejected";
    if (!canChange || hasEndedNow(visit, services.now())) return toStatus(reply, visit);
    return sendPage(reply, site, 200, submissionPage(site, visit, null));
  });

  scope.post<SessionRoute>(PATH, async (request, reply) => {
    const visit = await arrive(request);
    if (visit.ad?.status === "Rejected") return toStatus(reply, visit);
    const form = formOf(request);
    try {
      const submission = checkSubmission(submissionOfForm(form, visit.fields), visit.fields);
      await submitAd(services, visit.session.id, submission);
      return await toStatus(reply, visit, "?saved=1");
    } catch (thrown) {
      const refusal = refusalOf(thrown, reply, services);
      if (!isPaid(visit)) return sendUnpaid(reply, site, visit, undefined);
      const attempt = { draft: draftOfForm(form, visit.fields), refusal };
      return sendPage(reply, site, refusal.status, submissionPage(site, visit, attempt));
    }
  });

  scope.get<SessionRoute>(`${PATH}/billing`, { exposeHeadRoute: false }, async (request, reply) => {
    const visit = await arrive(request);
    const page = await findBillingPage(services, {
      sessionId: visit.session.id,
      address: addressKeyOf(request),
    });
    return reply
      .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" })
      .redirect(page, 303);
  });
}

function toStatus(reply: FastifyReply, visit: Visit, query = ""): FastifyReply {
  return reply.header("cache-control", "no-store").redirect(`${sessionPath(visit)}${query}`, 303);
}

function sendUnpaid(reply: FastifyReply, site: Site, visit: Visit, look: unknown): FastifyReply {
  const isExpired = visit.session.status === "expired";
  const page: PageContent = isExpired ? expiredPage(visit) : waitingPage(visit, readLook(look));
  return sendPage(reply, site, visit.isProcessorAway ? 502 : 200, page);
}

/** How often the page has looked already. */
function readLook(look: unknown): number {
  return typeof look === "string" && /^\d{1,4}$/.test(look) ? Number(look) : 0;
}
