import type { FastifyInstance } from "fastify";

/** On every answer of a public route, those written past Fastify too: any site may read it, without credentials. */
export const PUBLIC_CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, retry-after, x-request-id",
} as const;

const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "content-type, idempotency-key, if-none-match, x-request-id",
  // A day; browsers take what they allow of it.
  "access-control-max-age": "86400",
  "cache-control": "public, max-age=86400",
} as const;

/** On the answers that Fastify sends: those written past it carry fewer headers, because each costs time. */
const SENT_HEADERS = {
  ...PUBLIC_CORS_HEADERS,
  "access-control-expose-headers": `${PUBLIC_CORS_HEADERS["access-control-expose-headers"]}, idempotent-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset`,
  // Replaces the `same-origin` of pages: a site that isolates itself could not read the answer otherwise.
  "cross-origin-resource-policy": "cross-origin",
} as const;

/**
 * Opens the routes added to `app` after this call to browsers on any site: the headers on every answer, errors
 * included, and an OPTIONS route of its own for each path. Call it in a plugin's own scope, with the public routes.
 */
export function openToBrowsers(app: FastifyInstance): void {
  const methodsByUrl = new Map<string, Set<string>>();

  app.addHook("onSend", (_request, reply, _body, done) => {
    reply.headers(SENT_HEADERS);
    done();
  });

  app.addHook("onRoute", ({ method, url, routePath }) => {
    const methods = [method].flat().filter((name) => name !== "OPTIONS");
    const known = methodsByUrl.get(url);
    for (const name of methods) known?.add(name);
    if (known !== undefined || methods.length === 0) return;
    const allowed = new Set(methods);
    methodsByUrl.set(url, allowed);
    app.options(routePath, (_request, reply) =>
      reply
        .code(204)
        .headers(PREFLIGHT_HEADERS)
        .header("access-control-allow-methods", [...allowed].join(", "))
        .send(),
    );
  });
}
