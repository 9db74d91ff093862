import type { FastifyInstance, FastifyRequest } from "fastify";

const STAY_WITH_HTTPS = { "strict-transport-security": "max-age=31536000" };

/** What `insistOnHttps` puts on every answer; for answers that are written past Fastify. */
export function httpsHeaders(publicUrl: URL): Readonly<Record<string, string>> {
  return publicUrl.protocol === "https:" ? STAY_WITH_HTTPS : {};
}

/**
 * For an https `publicUrl`: tells browsers to stay with https, and answers a request that reached the proxy by plain
 * http with a redirect. A request without `X-Forwarded-Proto` comes from inside (probes) and is answered as it is.
 */
export function insistOnHttps(app: FastifyInstance, publicUrl: URL): void {
  if (publicUrl.protocol !== "https:") return;
  app.addHook("onSend", (_request, reply, _body, done) => {
    reply.headers(STAY_WITH_HTTPS);
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    if (cameByPlainHttp(request)) {
      // The target is a plain path by now, so that nobody is led to another host.
      reply.redirect(`${publicUrl.origin}${request.url}`, 308);
      return;
    }
    done();
  });
}

/** Reads the header itself: without a trusted proxy `request.protocol` is always http, and redirects never end. */
function cameByPlainHttp(request: FastifyRequest): boolean {
  const forwarded = request.headers["x-forwarded-proto"];
  if (typeof forwarded !== "string" || request.protocol !== "http") return false;
  return forwarded.split(",").at(-1)?.trim().toLowerCase() === "http";
}
