import { createHash } from "node:crypto";
import apiReference from "@scalar/fastify-api-reference";
import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import { compressOnce, httpError, matchesEtag } from "#libs/http/index.ts";
import { withDemoIds } from "./demo-ids.ts";
import { describeInterface } from "./openapi.ts";

interface DocsPorts {
  readonly db: Kysely<Tables>;
  readonly publicUrl: URL;
  readonly logger: Logger;
}

const READ_EVERY_MS = 5_000;

interface TaggedText {
  readonly body: string;
  /** Weak: the text is the same in every coding. */
  readonly etag: string;
}

function withTag(body: string): TaggedText {
  const hash = createHash("sha256").update(body).digest("base64url");
  return { body, etag: `W/"${hash.slice(0, 22)}"` };
}

/** `/v1/openapi.json`, and the reference made from it at `/v1/docs`. */
export async function docsRoutes(app: FastifyInstance, { db, publicUrl, logger }: DocsPorts): Promise<void> {
  const description = await describeInterface(`${publicUrl.origin}/v1`);
  const text = JSON.stringify(description);
  /** Read at most every few seconds: the demo may be made, changed or deleted while we run. */
  let read: { readonly at: number; readonly answer: Promise<TaggedText> } | null = null;
  function answerNow(): Promise<TaggedText> {
    const now = performance.now();
    if (read !== null && now - read.at < READ_EVERY_MS) return read.answer;
    const body = withDemoIds(db, text).catch((error: unknown) => {
      logger.warn({ err: error }, "could not read the demo's ids for the interface description");
      return text;
    });
    read = { at: now, answer: body.then(withTag) };
    return read.answer;
  }
  await app.register(async (scope) => {
    compressOnce(scope);
    scope.route({
      method: ["GET", "HEAD"],
      url: "/v1/openapi.json",
      handler: async ({ headers }, reply) => {
        const { body, etag } = await answerNow();
        reply.headers({
          "cache-control": "public, max-age=300, must-revalidate",
          "access-control-allow-origin": "*",
          etag,
        });
        if (matchesEtag(headers["if-none-match"] ?? "", etag)) return reply.code(304).send();
        return reply.header("content-type", "application/json; charset=utf-8").send(body);
      },
    });
  });

  await app.register(async (scope) => {
    scope.addHook("onRequest", async ({ protocol, hostname }) => {
      // The reference builds addresses with it.
      if (!URL.canParse(`${protocol}://${hostname}`))
        throw httpError("BAD_REQUEST", "The Host is malformed.");
    });
    scope.addHook("onSend", async (_request, reply, body) => {
      const isPage =
        typeof body === "string" && String(reply.getHeader("content-type")).startsWith("text/html");
      reply.header("content-security-policy", policyOf(isPage ? body : ""));
      return isPage ? body.replace(/<html(?=>)/, '<html lang="en"') : body;
    });
    compressOnce(scope);
    await scope.register(apiReference, {
      routePrefix: "/v1/docs",
      configuration: {
        url: "/v1/openapi.json",
        pageTitle: "Placard API",
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        // Features that would call other sites are off.
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: "never",
        customCss: READABLE,
      },
    });
  });
}

/** Colors of 4.5 to 1 in place of paler ones, and code that wraps, since what scrolls sideways cannot be reached by keyboard. */
const READABLE = `
.light-mode {
  --scalar-color-2: #495057;
  --scalar-color-3: #5c636a;
  --scalar-color-accent: #0b5cad;
  --scalar-color-blue: #0b5cad;
  --scalar-color-green: #0a6b3d;
  --scalar-color-orange: #9a4a00;
  --scalar-color-red: #b42318;
  --scalar-color-purple: #6b3fa0;
  --scalar-sidebar-color-2: #495057;
  --scalar-sidebar-search-color: #5c636a;
}
.dark-mode {
  --scalar-color-2: #c1c2c5;
  --scalar-color-3: #a6a7ab;
  --scalar-sidebar-color-2: #c1c2c5;
  --scalar-sidebar-search-color: #a6a7ab;
}
.scalar-app .markdown pre code { white-space: pre-wrap !important; overflow: visible !important; overflow-wrap: anywhere; }
`;

/**
 * The page shares its origin with sessions, so it runs its own scripts only: the inline one is allowed by its hash. It loads
 * nothing from other origins.
 */
function policyOf(page: string): string {
  const inline = Array.from(page.matchAll(/<script[^<>]*>([^<]+)<\/script>/g), ([, script = ""]) => {
    const hash = createHash("sha256").update(script).digest("base64");
    return `'sha256-${hash}'`;
  });
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inline].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
