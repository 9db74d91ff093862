import { fromNodeHeaders } from "better-auth/node";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Kysely, sql } from "kysely";
import { FairPlaces } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { deviceName } from "#libs/domain/device-name.ts";
import {
  type AddressKey,
  addressKeyOf,
  conflict,
  httpError,
  invalidInput,
  mapZodError,
  SMALL_BODY,
  siteOf,
  tooManyRequests,
  unavailable,
} from "#libs/http/index.ts";
import type { Limits, RateRule } from "#libs/limits/index.ts";
import { takeFromAddress } from "../../api/address-limit.ts";
import { PEOPLE_ENDPOINTS, type PeopleEndpoint } from "./endpoints.ts";
import { HASHES_UNDER_WAY, RETRY_AFTER_MS } from "./passwords.ts";
import type { People } from "./people.ts";
import { createSignInBrake } from "./sign-in-brake.ts";

const SIGN_IN = "/sign-in/email";
/** Enough for typing errors, too few for guessing. */
const SIGN_IN_RATE: RateRule = { name: "sign-in", points: 20, durationSeconds: 60 };
/** The limit for requests that only read. */
const READ_RATE: RateRule = { name: "account-read", points: 600, durationSeconds: 60 };
/** The limit for requests that carry no secret of a person, with or without a session. */
const ACCOUNT_RATE: RateRule = { name: "account", points: 120, durationSeconds: 60 };
/** better-auth's codes for an address that has an account; the second is for two concurrent sign-ups. */
const TAKEN = ["USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL", "FAILED_TO_CREATE_USER"];

export interface PeoplePorts {
  readonly db: Kysely<Tables>;
  readonly people: People;
  readonly limits: Limits;
  readonly publicUrl: URL;
}

/** Mounts better-auth's paths below `/api/auth`, with its refusals in our envelope. */
export function peopleRoutes(app: FastifyInstance, { db, people, limits, publicUrl }: PeoplePorts): void {
  const brake = createSignInBrake(limits);
  // Most of these hash a password, and one network that fills their queue would keep everybody else from signing in.
  const places = new FairPlaces<AddressKey>(HASHES_UNDER_WAY, {
    overShare: () => tooManyRequests(RETRY_AFTER_MS),
    full: () => unavailable(RETRY_AFTER_MS),
  });
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
      bodyLimit: SMALL_BODY,
      onRequest: async (request, reply) => {
        reply.header("cache-control", "no-store");
        if (endpoint.method === "POST" && !people.isOwnOrigin(request.headers)) {
          throw httpError("FORBIDDEN", "This may only be sent from this site.");
        }
        // As better-auth answers, which takes a millisecond for that.
        if (endpoint.signedOut !== undefined && !people.hasOurCookies(request.headers)) {
          if (endpoint.signedOut === "401") return reply.code(401).send(refusal(request, SIGNED_OUT));
          return reply.type("application/json").header("pragma", "no-cache").send("null");
        }
        const rule = endpoint.guessable ? SIGN_IN_RATE : endpoint.writes ? ACCOUNT_RATE : READ_RATE;
        await takeFromAddress(limits, rule, addressKeyOf(request));
      },
      handler: async (request, reply) => {
        const forwarded = asFetchRequest(endpoint, request, publicUrl);
        const account = endpoint.path === SIGN_IN ? emailIn(request.body) : null;
        const address = addressKeyOf(request);
        const handle = () =>
          endpoint.method === "POST"
            ? places.run(siteOf(address) ?? address, () => people.handle(forwarded))
            : people.handle(forwarded);
        // Who waits in the brake has no place yet, or a few networks would take them all for as long as it lasts.
        const response = await (account === null ? handle() : signIn(account, address, handle));
        const body = await response.text();
        // better-auth hides the reason of its failures; if it is the database, this query throws it.
        if (response.status >= 500) await sql`select 1`.execute(db);
        const refused = response.status >= 400 ? refusal(request, asRefusal(response.status, body)) : null;
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

/** The request for better-auth: only the endpoint's input, and of the browser no more than the name of the device. */
function asFetchRequest(endpoint: PeopleEndpoint, request: FastifyRequest, publicUrl: URL): Request {
  const isPost = endpoint.method === "POST";
  const parsed = endpoint.input.safeParse((isPost ? request.body : request.query) ?? {});
  if (!parsed.success) throw invalidInput("INVALID_INPUT", mapZodError(parsed.error));

  const url = new URL(`/api/auth${endpoint.path}`, publicUrl);
  const headers = fromNodeHeaders(request.headers);
  for (const name of ["content-length", "transfer-encoding", "user-agent"]) headers.delete(name);
  const device = deviceName(request.headers["user-agent"] ?? "");
  if (device !== null) headers.set("user-agent", device);
  if (!isPost) {
    for (const [name, value] of Object.entries(parsed.data)) {
      if (typeof value === "string") url.searchParams.set(name, value);
    }
    return new Request(url, { headers });
  }
  headers.set("content-type", "application/json");
  // better-auth checks the origin against forgery. Only browsers can be made to forge a request, and every browser sends
  // the origin of a POST, so a request without one comes from a program.
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

interface Refusal {
  readonly defined: false;
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

const SIGNED_OUT: Refusal = { defined: false, code: "UNAUTHORIZED", status: 401, message: "Unauthorized" };

function refusal({ id }: FastifyRequest, refused: Refusal) {
  return { ...refused, data: { requestId: id } };
}

/** A refusal of better-auth in our envelope. Throws `HttpError` if one of our codes fits. */
function asRefusal(status: number, body: string): Refusal {
  const { code = "REQUEST_REFUSED", message = "The request was refused." } = parseRefusal(body);
  // better-auth reports a malformed answer of an authenticator as a server error.
  if (code === "FAILED_TO_VERIFY_REGISTRATION") return { defined: false, code, status: 400, message };
  if (status >= 500) throw new Error(`better-auth answered ${status} ${code}`);
  if (TAKEN.includes(code))
    throw conflict("EMAIL_TAKEN", { fieldErrors: { email: ["This address has an account."] } });
  if (code === "EMAIL_TAKEN") throw conflict("EMAIL_TAKEN", { fieldErrors: { newEmail: [message] } });
  if (code === "EMAIL_UNCHANGED")
    throw invalidInput("EMAIL_UNCHANGED", { fieldErrors: { newEmail: [message] } });
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
