import { fromNodeHeaders } from "better-auth/node";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { Services } from "../services.ts";

/** Enough for somebody who mistypes, too few for somebody who guesses. */
const SIGN_IN_RATE: RateRule = { name: "sign-in", points: 20, durationSeconds: 60 };
const LIMITED =
  /^\/api\/auth\/(sign-in|sign-up|request-password-reset|reset-password|send-verification-email)\b/;

/** Mounts better-auth's own paths below `/api/auth`. Its refusals leave in our envelope, which has all it says. */
export function peopleRoutes(app: FastifyInstance, services: Services): void {
  app.route({
    method: ["GET", "POST"],
    url: "/api/auth/*",
    onRequest: async (request) => {
      if (!LIMITED.test(request.url)) return;
      const rate = await services.limits.consume(SIGN_IN_RATE, request.ip);
      if (!rate.allowed) throw tooManyRequests(rate.resetMs);
    },
    handler: async (request, reply) => {
      const response = await services.people.handle(asFetchRequest(request, services.publicUrl));
      reply.code(response.status);
      for (const [name, value] of response.headers) {
        if (name !== "set-cookie" && name !== "content-length") reply.header(name, value);
      }
      for (const cookie of response.headers.getSetCookie()) reply.header("set-cookie", cookie);
      const body = await response.text();
      return reply.send(response.status >= 400 ? asEnvelope(response.status, body) : body);
    },
  });
}

function asFetchRequest(request: FastifyRequest, publicUrl: URL): Request {
  const headers = fromNodeHeaders(request.headers);
  headers.delete("content-length");
  if (!comesFromBrowser(request)) headers.set("origin", publicUrl.origin);
  const hasBody = request.method === "POST" && request.body !== undefined;
  return new Request(new URL(request.url, publicUrl), {
    method: request.method,
    headers,
    ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
  });
}

/**
 * better-auth wants to know the page that a request comes from, against forgery. Only a browser can be made to forge, and
 * every browser says where a POST comes from, so a request that says nothing is a program's own.
 */
function comesFromBrowser({ headers }: FastifyRequest): boolean {
  return (
    headers.origin !== undefined || headers.referer !== undefined || headers["sec-fetch-site"] !== undefined
  );
}

function asEnvelope(status: number, body: string) {
  const said = parseRefusal(body);
  return {
    defined: false,
    code: said.code ?? "REQUEST_REFUSED",
    status,
    message: said.message ?? "The request was refused.",
  };
}

function parseRefusal(body: string): { code?: string; message?: string } {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null) return {};
    return {
      ...("code" in parsed && typeof parsed.code === "string" ? { code: parsed.code } : {}),
      ...("message" in parsed && typeof parsed.message === "string" ? { message: parsed.message } : {}),
    };
  } catch {
    return {};
  }
}
