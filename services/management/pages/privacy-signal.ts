import type { FastifyInstance } from "fastify";

/** The day on which the statement was made, by which its meaning is read (https://www.w3.org/TR/gpc/#gpc-support-resource). */
const STATEMENT = JSON.stringify({ gpc: true, lastUpdate: "2026-11-28" });

/** `/.well-known/gpc.json`: says that Global Privacy Control is honoured. */
export function privacySignalRoutes(app: FastifyInstance): void {
  app.get("/.well-known/gpc.json", async (_request, reply) =>
    reply
      .headers({
        "content-type": "application/json; charset=utf-8",
        "cache-control": "public, max-age=86400",
      })
      .send(STATEMENT),
  );
}
