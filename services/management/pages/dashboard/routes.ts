import { existsSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { html } from "#libs/html/index.ts";
import { plainPage } from "../plain-page.ts";

/** Built from `services/dashboard` by `npm run build`. */
const BUILT = fileURLToPath(new URL("../../../dashboard/dist", import.meta.url));

/**
 * Serves the dashboard: its files below `/assets`, and its one document for every page navigation without another route,
 * because the document chooses its page by the address. Anything else unknown is a 404 in the envelope.
 */
export async function dashboardRoutes(app: FastifyInstance, built = BUILT): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(built, "assets"),
    prefix: "/assets/",
    index: false,
    // File names contain a hash of the content, and the build leaves compressed files beside them.
    immutable: true,
    maxAge: "1y",
    preCompressed: true,
    suppressWarning: true,
  });

  app.get("/", async (_request, reply) => sendDocument(reply, built));
  app.get("/*", async (request, reply) => {
    return isPageNavigation(request.url, request.headers) ? sendDocument(reply, built) : reply.callNotFound();
  });
}

/** Always revalidated, because it names the files of the latest build. */
function sendDocument(reply: FastifyReply, built: string): FastifyReply {
  reply.header("cache-control", "no-cache").header("vary", "accept, sec-fetch-mode");
  if (existsSync(join(built, "index.html"))) {
    return reply.sendFile("index.html", built, { cacheControl: false, maxAge: 0, immutable: false });
  }
  return reply.code(503).type("text/html; charset=utf-8").send(NOT_BUILT_PAGE);
}

/** No pages of the dashboard are below these. */
const NOT_PAGES = ["v1", "api", "assets", "uploads", "sandbox", "advertise"];

/**
 * Whether the request is a page navigation of a browser, and not of a script, an image or a program. Without the header
 * that browsers send, a request that accepts HTML counts as one.
 */
function isPageNavigation(url: string, headers: IncomingHttpHeaders): boolean {
  const [path = ""] = url.split("?", 1);
  const [, first = ""] = path.split("/");
  if (NOT_PAGES.includes(first) || path.slice(path.lastIndexOf("/")).includes(".")) return false;
  const mode = headers["sec-fetch-mode"];
  return mode === undefined ? (headers.accept ?? "").includes("text/html") : mode === "navigate";
}

/** Shown in place of the dashboard before it is built. */
const NOT_BUILT_PAGE = plainPage(
  "Placard",
  "The dashboard is not built",
  html`<p>Run <code>npm run build</code> in the folder of Placard, then load this page again. Everything else is running.</p>`,
);
