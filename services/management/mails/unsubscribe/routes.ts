import type { FastifyInstance, FastifyReply } from "fastify";
import { recordChange } from "../../audit/record.ts";
import type { Services } from "../../services.ts";
import { languageFor } from "../language.ts";
import { answerPage, PAGE_POLICY, questionPage } from "./page.ts";
import { findReader, insertUnsubscribe } from "./queries.ts";

interface Link {
  readonly Params: { readonly token: string };
}

const PATH = "/v1/unsubscribe/:token";
/** Mailboxes send `List-Unsubscribe=One-Click`, as a form of either kind. It is not looked at. */
const MAX_BODY = 4096;

/**
 * Where the links in reports lead, with no session: a GET asks, as mail programs open links ahead of their readers; a
 * POST ends the reports (RFC 8058), once or again. Outside the contract, as it is a page and not part of the interface.
 */
export async function unsubscribeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_BODY }, (_request, _body, done) =>
      done(null, undefined),
    );
    const language = languageFor();

    scope.get<Link>(PATH, async ({ params: { token } }, reply) => {
      const reader = await findReaderOf(services, token);
      return reader === undefined
        ? sendPage(reply.code(404), answerPage(language, language.unsubscribePage.unknown))
        : sendPage(reply, questionPage(language, reader.workspace));
    });

    scope.post<Link>(PATH, async ({ params: { token } }, reply) => {
      const reader = await findReaderOf(services, token);
      if (reader === undefined) {
        return sendPage(reply.code(404), answerPage(language, language.unsubscribePage.unknown));
      }
      await endReports(services, reader);
      return sendPage(reply, answerPage(language, language.unsubscribePage.done(reader.workspace)));
    });
  });
}

/** Whoever the token was signed for; the database is asked for no other token. */
async function findReaderOf({ db, unsubscribeTokens }: Services, token: string) {
  const advertiserId = unsubscribeTokens.read(token);
  const reader = advertiserId === null ? undefined : await findReader(db, advertiserId);
  return advertiserId === null || reader === undefined ? undefined : { ...reader, advertiserId };
}

async function endReports(
  { db }: Services,
  reader: { readonly advertiserId: string; readonly workspace_id: string; readonly name: string },
): Promise<void> {
  const { advertiserId, workspace_id: workspaceId, name } = reader;
  await db.transaction().execute(async (trx) => {
    if (!(await insertUnsubscribe(trx, workspaceId, advertiserId))) return;
    await recordChange(
      trx,
      { kind: "advertiser", name },
      {
        workspaceId,
        action: "advertiser.unsubscribe",
        resourceId: advertiserId,
        before: { monthlyReports: true },
        after: { monthlyReports: false },
      },
    );
  });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
      // The address is what lets its holder in.
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    })
    .send(page);
}
