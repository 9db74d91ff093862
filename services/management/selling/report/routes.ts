import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ADVERTISER_STEPS } from "#libs/domain/advertiser-report.ts";
import type { PlaceDimension } from "#libs/domain/report-dimensions.ts";
import { addressKeyOf, HttpError, notFound, SMALL_BODY } from "#libs/http/index.ts";
import { appliedCorrectionsOf } from "../../ads/corrections/queries.ts";
import { limitAddress, takeFromAddress } from "../../api/address-limit.ts";
import { asCsvFile } from "../../api/csv.ts";
import { inReadersTurn } from "../../api/turns.ts";
import { chooseReports, findReportReader } from "../../mail/advertiser-choice.ts";
import { type AdQuestion, type AdReport, reportOfAd } from "../../reports/of-ad.ts";
import { formOf, sendPage } from "../page/http.ts";
import type { Site } from "../page/layout.ts";
import { type Refusal, refusalOf } from "../page/refusal.ts";
import { findPublisher, type Publisher } from "../queries.ts";
import { SESSION_PATH, type SessionRoute } from "../submission/routes.ts";
import { type AdVisit, hasAd, isPaid, openVisit, sessionPath } from "../submission/visit.ts";
import { readChoice } from "./email-form.ts";
import { reportFile } from "./report-file.ts";
import { parametersOf, type ReportView, reportPage } from "./report-page.ts";
import { findLink, findSharedAd, type ReportedAd, share, unshare } from "./shared.ts";

const SHARED_PATH = "/advertise/:workspace/report/:link";

interface SharedRoute {
  readonly Params: { readonly workspace: string; readonly link: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

/** A report that somebody may read. */
interface Reported {
  readonly publisher: Publisher;
  readonly ad: ReportedAd;
  /** The path of its page. */
  readonly path: string;
  /** Undefined for anybody it is shared with. */
  readonly visit?: AdVisit;
}

type Asking = Pick<FastifyRequest<SessionRoute>, "query">;

/** The report of an ad: for its advertiser, who can share it by a link, and for anybody who has the link. */
export function reportRoutes(scope: FastifyInstance, site: Site): void {
  const { ports } = site;
  const { db, reportSeals } = ports;

  const count = (request: FastifyRequest) =>
    takeFromAddress(ports.limits, ports.checkoutRates.read, addressKeyOf(request));

  async function arriveAsAdvertiser({ params }: FastifyRequest<SessionRoute>) {
    const visit = await openVisit(ports, params);
    if (!isPaid(visit) || !hasAd(visit) || visit.ad.serving_since === null) throw notFound("Report");
    return visit;
  }

  async function asAdvertiser(request: FastifyRequest<SessionRoute>): Promise<Reported> {
    await count(request);
    const visit = await arriveAsAdvertiser(request);
    const { publisher, ad } = visit;
    return { publisher, ad, path: sessionPath(visit, "/report"), visit };
  }

  async function asAnybody(request: FastifyRequest<SharedRoute>): Promise<Reported> {
    await count(request);
    const { workspace, link } = request.params;
    const publisher = await findPublisher(db, workspace);
    if (publisher === undefined) throw notFound("Report");
    const ad = await findSharedAd(db, reportSeals, publisher.id, link);
    if (ad === undefined) throw notFound("Report");
    return { publisher, ad, path: sharedPath(publisher, link) };
  }

  /** What the page shows to the ad's advertiser alone. */
  async function ownPart(visit: AdVisit, query: Asking["query"]): Promise<ReportView["own"]> {
    const [link, reader] = await Promise.all([
      findLink(db, reportSeals, visit.ad),
      findReportReader(db, visit.purchase.advertiser_id),
    ]);
    return {
      adPath: sessionPath(visit),
      sharedAt: link && `${ports.publicUrl.origin}${sharedPath(visit.publisher, link)}`,
      emails: reader?.isReached !== true ? null : reader.isEndedByLink ? "ended by link" : reader.choice,
      isSaved: query.saved !== undefined,
    };
  }

  const countEvents = (ad: ReportedAd, question: AdQuestion, reply: FastifyReply) =>
    inReadersTurn(ad.id, db, ad.workspace_id, reply.raw, () =>
      reportOfAd(db, ports, { workspaceId: ad.workspace_id, adId: ad.id, question }),
    );

  async function showPage({ query }: Asking, reply: FastifyReply, { publisher, ad, path, visit }: Reported) {
    const splits = publisher.advertiser_splits;
    const question = readQuestion(query, splits);
    const [corrections, own] = await Promise.all([
      appliedCorrectionsOf(db, ad.workspace_id, ad.id),
      visit === undefined ? null : ownPart(visit, query),
    ]);
    const answer = await countEvents(ad, question, reply).catch((thrown: unknown): Refusal => {
      // What is asked for can be corrected in the form.
      if (thrown instanceof HttpError && thrown.status === 422) return refusalOf(thrown, reply, ports.logger);
      throw thrown;
    });
    return await sendPage(reply, site, "status" in answer ? answer.status : 200, () =>
      reportPage({ publisher, adName: ad.name, path, splits, corrections, own }, question, answer),
    );
  }

  async function sendFile({ query }: Asking, reply: FastifyReply, { publisher, ad }: Reported) {
    const question = readQuestion(query, publisher.advertiser_splits);
    const answer: AdReport = await countEvents(ad, question, reply);
    asCsvFile(reply, "report", ports.now());
    return reply
      .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex" })
      .send(reportFile(question, answer));
  }

  scope.get<SessionRoute>(`${SESSION_PATH}/report`, async (request, reply) =>
    showPage(request, reply, await asAdvertiser(request)),
  );
  scope.get<SessionRoute>(`${SESSION_PATH}/report.csv`, async (request, reply) =>
    sendFile(request, reply, await asAdvertiser(request)),
  );
  scope.get<SharedRoute>(SHARED_PATH, async (request, reply) =>
    showPage(request, reply, await asAnybody(request)),
  );
  scope.get<SharedRoute>(`${SHARED_PATH}.csv`, async (request, reply) =>
    sendFile(request, reply, await asAnybody(request)),
  );

  const onRequest = limitAddress(ports, ports.checkoutRates.submit);
  const change = (
    below: "share" | "unshare" | "emails",
    { at, save }: { readonly at: string; save(visit: AdVisit, form: URLSearchParams): Promise<void> },
  ) =>
    scope.post<SessionRoute>(
      `${SESSION_PATH}/report/${below}`,
      { onRequest, bodyLimit: SMALL_BODY },
      async (request, reply) => {
        const visit = await arriveAsAdvertiser(request);
        await save(visit, formOf(request));
        const asked = readQuestion(request.query, visit.publisher.advertiser_splits);
        const query = `${parametersOf(asked, asked)}${below === "emails" ? "&saved" : ""}`;
        return reply
          .header("cache-control", "no-store")
          .redirect(`${sessionPath(visit, "/report")}?${query}#${at}`, 303);
      },
    );
  change("share", { at: "share", save: ({ ad }) => share(db, ad) });
  change("unshare", { at: "share", save: ({ ad }) => unshare(db, ad) });
  change("emails", {
    at: "emails",
    save: async ({ purchase }, form) => {
      const choice = readChoice(form);
      if (choice !== null) await chooseReports(db, purchase.advertiser_id, choice, "page");
    },
  });
}

function sharedPath({ id }: Publisher, link: string): string {
  return `/advertise/${id}/report/${link}`;
}

/** What an address asks for. What it says wrongly, dates aside, is left out: an old link still works after the publisher's splits change. */
function readQuestion(query: Asking["query"], splits: readonly PlaceDimension[]): AdQuestion {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    from: text("from"),
    to: text("to"),
    step: ADVERTISER_STEPS.find((step) => step === query.per) ?? "day",
    split: splits.find((split) => split === query.split) ?? null,
  };
}
