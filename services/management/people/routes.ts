import { fromNodeHeaders } from "better-auth/node";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { sql } from "kysely";
import {
  type AddressKey,
  addressKeyOf,
  conflict,
  httpError,
  invalidInput,
  mapZodError,
  tooManyRequests,
} from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { Services } from "../services.ts";
import { PEOPLE_ENDPOINTS, type PeopleEndpoint } from "./endpoints.ts";
import { createSignInBrake } from "./sign-in-brake.ts";

const SIGN_IN = "/sign-in/email";
/** Enough for somebody who mistypes, too few for somebody who guesses. */
const SIGN_IN_RATE: RateRule = { name: "sign-in", points: 20, durationSeconds: 60 };
/** better-auth's codes for an address that has an account; the second is of two sign-ups at once. */
const TAKEN = ["USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", "FAILED_TO_CREATE_USER"];

/** Mounts better-auth's own paths below `/api/auth`. Its refusals leave in our envelope, which has all it says. */
export function peopleRoutes(app: FastifyInstance, services: Services): void {
  const brake = createSignInBrake(services.limits);
  async function signIn(account: string, address: AddressKey, attempt: () => Promise<Response>) {
    await brake.admit(account, address);
    try {
      const response = await attempt();
      if (response.status === 401) await brake.fail(account, address);
      if (response.status === 200) brake.succeed(account, address);
      return response;
    } finally {
      brake.finish(account);
    }
  }

  for (const endpoint of PEOPLE_ENDPOINTS) {
    app.route({
      method: endpoint.method,
      url: `/api/auth${endpoint.path}`,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        reply.header("cache-control", "no-store");
        if (endpoint.method === "POST" && !services.people.isOwnOrigin(request.headers)) {
          throw httpError("FORBIDDEN", "This may only be sent from this site.");
        }
        if (!endpoint.guessable) return;
        const rate = await services.limits.consume(SIGN_IN_RATE, addressKeyOf(request));
        if (!rate.allowed) throw tooManyRequests(rate.resetMs);
      },
      handler: async (request, reply) => {
        const asked = asFetchRequest(endpoint, request, services.publicUrl);
        const account = endpoint.path === SIGN_IN ? emailIn(request.body) : null;
        const response =
          account === null
            ? await services.people.handle(asked)
            : await signIn(account, addressKeyOf(request), () => services.people.handle(asked));
        const body = await response.text();
        // better-auth keeps to itself why it failed; where that was the database, this fails with the reason.
        if (response.status >= 500) await sql`select 1`.execute(services.db);
        const refused = response.status >= 400 ? asRefusal(response.status, body) : null;
        reply.code(refused?.status ?? response.status);
        for (const [name, value] of response.headers) {
          if (name !== "set-cookie" && name !== "content-length") reply.header(name, value);
        }
        for (const cookie of response.headers.getSetCookie()) reply.header("set-cookie", cookie);
        return reply.send(refused ?? body);
      },
    });
  }
}

/** The request as better-auth gets it: only what the endpoint takes, and nothing that tells the browser apart. */
function asFetchRequest(endpoint: PeopleEndpoint, request: FastifyRequest, publicUrl: URL): Request {
  const isPost = endpoint.method === "POST";
  const parsed = endpoint.input.safeParse((isPost ? request.body : request.query) ?? {});
  if (!parsed.success) throw invalidInput(mapZodError(parsed.error));

  const url = new URL(`/api/auth${endpoint.path}`, publicUrl);
  const headers = fromNodeHeaders(request.headers);
  for (const name of ["content-length", "transfer-encoding", "user-agent"]) headers.delete(name);
  if (!isPost) {
    for (const [name, value] of Object.entries(parsed.data)) {
      if (typeof value === "string") url.searchParams.set(name, value);
    }
    return new Request(url, { headers });
  }
  headers.set("content-type", "application/json");
  // better-auth wants to know the page that a request comes from, against forgery. Only a browser can be made to forge,
  // and every browser says where a POST comes from, so a request that says nothing is a program's own.
  if (!comesFromBrowser(request)) headers.set("origin", publicUrl.origin);
  return new Request(url, { method: "POST", headers, body: JSON.stringify(parsed.data) });
}

function emailIn(body: unknown): string | null {
  const isGiven = typeof body === "object" && body !== null && "email" in body;
  return isGiven && typeof body.email === "string" ? body.email : null;
}

function comesFromBrowser({ headers }: FastifyRequest): boolean {
  return (
    headers.origin !== undefined || headers.referer !== undefined || headers["sec-fetch-site"] !== undefined
  );
}

/** What better-auth refuses with, as the envelope. Throws what has a code of ours. */
function asRefusal(status: number, body: string) {
  const { code = "REQUEST_REFUSED", message = "The request was refused." } = parseRefusal(body);
  // better-auth calls what it cannot read of an authenticator an error of the server.
  if (code === "FAILED_TO_VERIFY_REGISTRATION") return { defined: false, code, status: 400, message };
  if (status >= 500) throw new Error(`better-auth answered ${status} ${code}`);
  if (TAKEN.includes(code)) throw conflict({ fieldErrors: { email: ["This address has an account."] } });
  if (code === "EMAIL_TAKEN") throw conflict({ fieldErrors: { newEmail: [message] } });
  if (code === "EMAIL_UNCHANGED") throw invalidInput({ fieldErrors: { newEmail: [message] } });
  return { defined: false, code, status, message };
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
