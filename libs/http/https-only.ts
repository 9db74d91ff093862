import type { FastifyInstance, FastifyRequest } from "fastify";

const ONE_YEAR = "max-age=31536000";

/**
 * For an https `publicUrl`: tells browsers to stay with https, and answers a request that reached the proxy by plain
 * http with a redirect. A request without `X-Forwarded-Proto` comes from inside (probes) and is answered as it is.
 */
export function insistOnHttps(app: FastifyInstance, publicUrl: URL): void {
  if (publicUrl.protocol !== "https:") return;
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("strict-transport-security", ONE_YEAR);
    if (cameByPlainHttp(request)) {
      const path = request.url.startsWith("/") ? request.url : "/";
      reply.redirect(`${publicUrl.origin}${path}`, 308);
      return;
    }
    done();
  });
}

/**
 * The header itself has to say http: where a proxy is not among the trusted ones, `request.protocol` is http for
 * everything, and a redirect would go round for ever.
 */
function cameByPlainHttp(request: FastifyRequest): boolean {
  const forwarded = request.headers["x-forwarded-proto"];
  if (typeof forwarded !== "string" || request.protocol !== "http") return false;
  return forwarded.split(",").at(-1)?.trim().toLowerCase() === "http";
}
