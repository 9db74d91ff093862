import type { FastifyInstance, FastifyReply } from "fastify";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type Html, html } from "#libs/html/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import { findMembership } from "../../accounts/members/queries.ts";
import { setReportEmails } from "../../accounts/members/report-emails.ts";
import { limitAddress } from "../../api/address-limit.ts";
import { chooseReports, findReportReader } from "../../mail/advertiser-choice.ts";
import type { UnsubscribeTokens } from "../../mail/unsubscribe.ts";
import { inLineOf } from "../../store/row-lines.ts";
import { plainPage } from "../plain-page.ts";

interface UnsubscribePorts {
  readonly db: Kysely<Tables>;
  readonly limits: Pick<Limits, "consume">;
  readonly unsubscribeTokens: UnsubscribeTokens;
}

interface Link {
  readonly Params: { readonly token: string };
}

const PATH = "/v1/unsubscribe/:token";
const TITLE = "Reports by email";
const UNKNOWN = "We don't recognize this link. Make sure you copied all of it.";
/** Mailboxes send `List-Unsubscribe=One-Click` as a form of either kind; the body is ignored. */
const MAX_BODY = 4096;
/** A mailbox provider asks for many of its people from one address. */
const RATE: RateRule = { name: "unsubscribe", points: 120, durationSeconds: 60 };

/**
 * The target of unsubscribe links in reports, without a session. A GET asks first, because email programs open links ahead
 * of their readers; a POST ends the reports (RFC 8058) and may be repeated. A page, so not part of the contract.
 */
export async function unsubscribeRoutes(app: FastifyInstance, ports: UnsubscribePorts): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook("onRequest", limitAddress(ports, RATE));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_BODY }, (_request, _body, done) =>
      done(null, undefined),
    );
    scope.get<Link>(PATH, async ({ params: { token } }, reply) => {
      const reader = await findReaderOf(ports, token);
      if (reader === undefined) return sendPage(reply.code(404), answer(UNKNOWN));
      return sendPage(reply, reader.isEnded ? ended(reader) : question(reader.about));
    });

    scope.post<Link>(PATH, async ({ params: { token } }, reply) => {
      const reader = await findReaderOf(ports, token);
      if (reader === undefined) return sendPage(reply.code(404), answer(UNKNOWN));
      await reader.end();
      return sendPage(reply, ended(reader));
    });

    scope.post<Link>(`${PATH}/again`, async ({ params: { token } }, reply) => {
      const reader = await findReaderOf(ports, token);
      if (reader?.again === undefined) return sendPage(reply.code(404), answer(UNKNOWN));
      await reader.again.start();
      return sendPage(reply, answer(`You'll receive reports about ${reader.about} again.`));
    });
  });
}

/** Somebody who gets reports, what these are about, and what ends and starts them. */
interface Reader {
  readonly about: string;
  readonly isEnded: boolean;
  end(): Promise<unknown>;
  /** Undefined for members, who choose in the dashboard. */
  readonly again?: { readonly path: string; start(): Promise<unknown> };
}

/** Whom the token was signed for; undefined once they are gone. A forged token never reaches the database. */
async function findReaderOf(
  { db, unsubscribeTokens }: UnsubscribePorts,
  token: string,
): Promise<Reader | undefined> {
  const signed = unsubscribeTokens.read(token);
  if (signed === null) return undefined;
  const { id, kind } = signed;
  if (kind === "member") return await findMemberReader(db, id);
  const advertiser = await findReportReader(db, id);
  return (
    advertiser && {
      about: `your ads on ${advertiser.workspace}`,
      isEnded: advertiser.choice === "never",
      end: () => inLineOf(id, () => chooseReports(db, id, "never", "link")),
      again: {
        path: `/v1/unsubscribe/${token}/again`,
        start: () => inLineOf(id, () => chooseReports(db, id, advertiser.chosen, "link")),
      },
    }
  );
}

async function findMemberReader(db: Kysely<Tables>, memberId: string): Promise<Reader | undefined> {
  const member = await findMembership(db, memberId);
  if (member === undefined) return undefined;
  const { workspace_id: workspaceId, person_id: personId, name } = member;
  const actor = { kind: "person", id: personId, personId, name } as const;
  return {
    about: `the ads on ${member.workspace}`,
    isEnded: false,
    end: () => inLineOf(memberId, () => setReportEmails(db, actor, { workspaceId, memberId }, [])),
  };
}

function sendPage(reply: FastifyReply, content: Html): FastifyReply {
  return reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
      // The address is a secret.
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    })
    .send(plainPage(TITLE, TITLE, content));
}

/** Lets the page show itself and send its own form. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Asks for confirmation; the button posts to the page's own address. */
const question = (about: string) =>
  html`<p>Stop the reports about ${about}?</p>
<form method="post"><button type="submit" style="padding:12px 20px;font:inherit;font-weight:600;border:0;border-radius:8px;background:#3b5bdb;color:#fff;cursor:pointer">Stop the reports</button></form>`;

/** Says that there are no more reports, and how to get them again. */
const ended = ({ about, again }: Reader) =>
  html`${answer(`You won't receive any more reports about ${about}.`)}
${again === undefined ? null : html`<form method="post" action="${again.path}"><button type="submit" style="padding:12px 20px;font:inherit">Receive them again</button></form>`}`;

/** Says the outcome in one sentence. */
const answer = (sentence: string) => html`<p role="status">${sentence}</p>`;
