import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fillDays, statsWindow } from "#libs/domain/stats-window.ts";
import { addressKeyOf } from "#libs/http/index.ts";
import { StatsStoreError } from "#libs/stats-store/index.ts";
import { findRevision } from "../../ads/revisions/queries.ts";
import { limitAddress, takeFromAddress } from "../../api/address-limit.ts";
import { type BillingWish, findBillingPage } from "../billing-link.ts";
import { submitAd } from "../checkout/submission.ts";
import { formOf, sendPage } from "../page/http.ts";
import type { Site } from "../page/layout.ts";
import { refusalOf } from "../page/refusal.ts";
import { processorNow, type SellingPorts } from "../ports.ts";
import { checkSubmission, draftOfForm, plainProblems, submissionOfForm } from "./draft.ts";

import { isOver } from "./standing.ts";
import { type AdStats, type Sent, statusPage, WINDOWS } from "./status-page.ts";
import { submissionPage } from "./submission-page.ts";
import {
  areChangesRequested,
  hasAd,
  isPaid,
  openVisit,
  type SubmittedAd,
  sessionPath,
  type Visit,
} from "./visit.ts";
import { expiredPage, waitingPage } from "./waiting-page.ts";

export interface SessionRoute {
  readonly Params: { readonly workspace: string; readonly sessionId: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

/** The pages of a checkout session begin with it. */
export const SESSION_PATH = "/advertise/:workspace/checkout/:sessionId";

/** In bytes: the values that an ad may have, each byte written as three, and a third more. A refused form is shown again, escaped. */
const LARGEST_FORM = 128 * 1024;

/** The pages of an advertiser after payment. The session's id in the address is the secret that gives access. */
export function checkoutRoutes(scope: FastifyInstance, site: Site): void {
  const { ports } = site;

  async function arrive(request: FastifyRequest<SessionRoute>): Promise<Visit> {
    if (request.method !== "POST") {
      await takeFromAddress(ports.limits, ports.checkoutRates.read, addressKeyOf(request));
    }
    return await openVisit(ports, request.params);
  }

  scope.get<SessionRoute>(SESSION_PATH, async (request, reply) => {
    const { query } = request;
    const visit = await arrive(request);
    if (!isPaid(visit)) return sendUnpaid(reply, site, visit, query.look);
    if (!hasAd(visit) || (areChangesRequested(visit) && !isOver(visit.purchase, processorNow(ports)))) {
      return sendPage(reply, site, 200, () => submissionPage(site, visit, null));
    }
    const stats = await statsOf(ports, visit.ad, query.days);
    return sendPage(reply, site, 200, () => statusPage(site, visit, stats, readSent(query)));
  });

  scope.get<SessionRoute>(`${SESSION_PATH}/edit`, async (request, reply) => {
    const visit = await arrive(request);
    const isOpen = isPaid(visit) && hasAd(visit) && !isOver(visit.purchase, processorNow(ports));
    if (!isOpen || visit.ad.status === "Rejected") return toStatus(reply, visit);
    return sendPage(reply, site, 200, () => submissionPage(site, visit, null));
  });

  const onRequest = limitAddress(ports, ports.checkoutRates.submit);
  scope.post<SessionRoute>(SESSION_PATH, { onRequest, bodyLimit: LARGEST_FORM }, async (request, reply) => {
    const visit = await arrive(request);
    if (visit.ad?.status === "Rejected") return toStatus(reply, visit);
    const form = formOf(request);
    try {
      const submission = checkSubmission(submissionOfForm(form, visit.fields), visit.fields);
      const ad = await submitAd(ports, visit.session.id, submission, addressKeyOf(request));
      const open = await findRevision(ports.db, ad.workspace_id, ad.id);
      const isLive = ad.status === "Approved" && open === undefined;
      return await toStatus(reply, visit, isLive ? "?same=1" : "?saved=1");
    } catch (thrown) {
      const refusal = refusalOf(thrown, reply, ports.logger);
      if (!isPaid(visit)) return sendUnpaid(reply, site, visit, undefined);
      const problems = plainProblems(refusal.problems, submissionOfForm(form, visit.fields), visit.fields);
      const attempt = { draft: draftOfForm(form, visit.fields), refusal: { ...refusal, problems } };
      return sendPage(reply, site, refusal.status, () => submissionPage(site, visit, attempt));
    }
  });

  const redirectTo = (below: string, wish: BillingWish) =>
    scope.get<SessionRoute>(`${SESSION_PATH}/billing${below}`, async (request, reply) => {
      const visit = await arrive(request);
      const page = await findBillingPage(ports, visit.session.id, wish, addressKeyOf(request));
      return reply
        .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" })
        .redirect(page, 303);
    });
  redirectTo("", "manage");
  redirectTo("/pay", "pay");
}

/** What the address of the status page says about a submission just before. */
function readSent({ saved, same }: SessionRoute["Querystring"]): Sent | null {
  if (saved !== undefined) return "to review";
  return same === undefined ? null : "live already";
}

function toStatus(reply: FastifyReply, visit: Visit, query = ""): FastifyReply {
  return reply.header("cache-control", "no-store").redirect(`${sessionPath(visit)}${query}`, 303);
}

async function sendUnpaid(
  reply: FastifyReply,
  site: Site,
  visit: Visit,
  reloads: unknown,
): Promise<FastifyReply> {
  const isExpired = visit.session.status === "expired";
  return sendPage(reply, site, visit.isProcessorAway ? 502 : 200, () =>
    isExpired ? expiredPage(visit) : waitingPage(visit, readReloads(reloads)),
  );
}

/** How often the page was reloaded. */
function readReloads(reloads: unknown): number {
  return typeof reloads === "string" && /^\d{1,4}$/.test(reloads) ? Number(reloads) : 0;
}

const USUAL_WINDOW = 30;

/** The stats of an ad over the requested days; null for one that was never live. */
async function statsOf(
  { stats, now, logger }: SellingPorts,
  ad: SubmittedAd,
  asked: unknown,
): Promise<AdStats | null> {
  if (ad.serving_since === null) return null;
  const days = WINDOWS.find((window) => String(window) === asked) ?? USUAL_WINDOW;
  const window = statsWindow(days, now());
  try {
    const counts = await stats.dailyOfAd(ad.workspace_id, ad.id, window);
    return { days, counts: fillDays(window, counts) };
  } catch (error) {
    if (!(error instanceof StatsStoreError)) throw error;
    logger.warn({ err: error }, "stats of an ad could not be read");
    return { days, counts: null };
  }
}
