import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { isPageNavigation } from "./navigation.ts";
import { NOT_BUILT_PAGE } from "./not-built-page.ts";

/** What `npm run build` makes of `services/dashboard`. */
const BUILT = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));

/**
 * Serves the dashboard: its files below `/assets`, and its one document wherever a browser goes that no other route
 * knows, for the document finds its page by the address. Anything else unknown stays a 404 in the envelope.
 */
export async function dashboardRoutes(app: FastifyInstance, built = BUILT): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(built, "assets"),
    prefix: "/assets/",
    index: false,
    // Names hold a hash of the content, and the build has left a compressed file next to each.
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

/** Never kept by a browser unasked, as it names the files of the latest build. */
function sendDocument(reply: FastifyReply, built: string): FastifyReply {
  reply.header("cache-control", "no-cache").header("vary", "accept, sec-fetch-mode");
  if (existsSync(join(built, "index.html"))) {
    return reply.sendFile("index.html", built, { cacheControl: false, maxAge: 0, immutable: false });
  }
  return reply.code(503).type("text/html; charset=utf-8").send(NOT_BUILT_PAGE);
}
