import { isDeepStrictEqual } from "node:util";
import type { AnyRouter } from "@orpc/server";
import type { FastifyInstance } from "fastify";
import { QueuesByKey } from "#libs/async/index.ts";
import { managementContract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { asParty } from "#libs/database/fair-pool.ts";
import {
  addressKeyOf,
  compressAnswers,
  malformedBody,
  openToBrowsers,
  SMALL_BODY,
} from "#libs/http/index.ts";
import { authorise, countUnknown, type Granted } from "../api/access/authorise.ts";
import { addressRateOf, takeFromAddress } from "../api/address-limit.ts";
import { asksForCsv } from "../api/csv.ts";
import { answerRepetition, settleClaim } from "../api/idempotency/guard.ts";
import { MemberPlaces } from "../api/member-places.ts";
import { type Answer, answerOf } from "../api/procedures.ts";
import { endPageTurn, inTurnOfReader, noteReading } from "../api/turns.ts";
import { createRouter } from "./router.ts";
import type { Services } from "./services.ts";

declare module "fastify" {
  interface FastifyRequest {
    granted: Granted;
    /** Whether the body had not fully arrived when access was granted. */
    isBodyLate: boolean;
    /** What a streamed answer keeps in memory until it is read, beside its parts. */
    heldBytes: number;
  }
}

/**
 * Changes of a workspace by its members that are at work in a process: a quarter of the connections to the database, as they may wait
 * for the same row. Of those that wait, `MemberPlaces` refuses what is too much.
 */
const CHANGES = { atOnce: 6 };

/** The prefix of every endpoint of the contract. */
const BASE_PATH = "/v1";

/**
 * Mounts the contract below `/v1`: one Fastify route per endpoint, so that access is checked before the body is read and
 * metrics name the route. Each route calls its own procedure, so the endpoint whose access was checked is the one that runs.
 * What anybody may call can be called by browsers on any site.
 */
export async function contractRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.decorateRequest("granted", null);
  app.decorateRequest("isBodyLate", false);
  app.decorateRequest("heldBytes", 0);
  app.decorateRequest("claim", null);
  const router = createRouter(services);
  const endpoints = listEndpoints(managementContract);
  const mounting = {
    services,
    router,
    endpoints,
    places: new MemberPlaces(),
    changes: new QueuesByKey(CHANGES),
  };
  // Before it is compressed: until it is read, the whole of it is kept.
  app.addHook("onSend", async ({ heldBytes, granted }, reply, body) => {
    endPageTurn();
    const length = typeof body === "string" ? body.length : heldBytes;
    mounting.places.weigh(reply.raw, length);
    if (granted !== null) noteReading(granted.actor.personId, length);
    return body;
  });
  await app.register(async (scope) => {
    openToBrowsers(scope);
    for (const endpoint of endpoints.filter(isPublic)) mount(scope, mounting, endpoint);
  });
  await app.register(async (scope) => {
    await compressAnswers(scope);
    for (const endpoint of endpoints.filter(isCompressed)) mount(scope, mounting, endpoint);
  });
  const others = endpoints.filter((endpoint) => !isPublic(endpoint) && !isCompressed(endpoint));
  for (const endpoint of others) mount(app, mounting, endpoint);
  // What no endpoint answers counts against the caller's key all the same.
  app.unknownRoutes.check = (request, reply) => countUnknown(services, request, reply);
}

function isPublic({ access }: Endpoint): boolean {
  return access.kind === "public";
}

/**
 * What members and keys read: lists and reports, in which nothing is a secret to the caller. Checkouts have the session id,
 * which is one, beside an advertiser's own words; what is created answers keys and signed addresses.
 */
function isCompressed({ access, method }: Endpoint): boolean {
  return access.kind === "member" && method === "GET";
}

/** Accounts, invitations and the start of a checkout. */
function takesLittle({ name }: Endpoint): boolean {
  return name === "checkout.create" || /^(account|invitations)\./.test(name);
}

interface Mounting {
  readonly services: Services;
  readonly router: AnyRouter;
  readonly endpoints: readonly Endpoint[];
  readonly places: MemberPlaces;
  /** A queue for each workspace. */
  readonly changes: QueuesByKey;
}

/** Answers an endpoint, or where CSV is asked for the one that answers it so. */
function answerIn({ services, router, endpoints }: Mounting, endpoint: Endpoint): Answer {
  const answer = answerOf(router, endpoint, services.publicUrl);
  const other = endpoints.find(({ name }) => name === endpoint.csv);
  if (other === undefined) return answer;
  if (!isDeepStrictEqual(other.access, endpoint.access)) throw new Error(`${other.name} has another access`);
  const answerCsv = answerOf(router, other, services.publicUrl);
  return (request, ...rest) => (asksForCsv(request) ? answerCsv : answer)(request, ...rest);
}

function mount(app: FastifyInstance, mounting: Mounting, endpoint: Endpoint): void {
  const { services, places, changes } = mounting;
  const { db, memberDb, logger } = services;
  const { name, method, path, access, idempotent } = endpoint;
  const answer = answerIn(mounting, endpoint);
  const addressRate = addressRateOf(endpoint, services.checkoutRates);
  app.route<{ Params: { workspaceId?: string } }>({
    // Not a route that Fastify derives: its HEAD would not tell the length of a compressed answer.
    method: method === "GET" ? ["GET", "HEAD"] : method,
    url: `${BASE_PATH}${path.replace(/\{(\w+)\}/g, ":$1")}`,
    ...(takesLittle(endpoint) ? { bodyLimit: SMALL_BODY } : {}),
    onRequest: async (request, reply) => {
      reply.header("cache-control", "no-store");
      if (addressRate !== null) {
        await takeFromAddress(services.limits, addressRate, addressKeyOf(request), reply);
      }
      request.granted = await authorise(services, access, request, reply);
      request.isBodyLate = !request.raw.complete;
    },
    preHandler: async (request, reply) => {
      // Else a person could hold a body back and still act after they were removed, demoted or suspended.
      if (request.isBodyLate) request.granted = await authorise(services, access, request, reply);
      const { body } = request;
      if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body))) {
        throw malformedBody("The body has to be a JSON object.");
      }
      return idempotent ? await answerRepetition(services, name, request, reply) : undefined;
    },
    onSend: async (request, reply, body) => {
      await settleClaim(services, request, reply, body);
      return body;
    },
    handler: (request, reply) => {
      const { granted } = request;
      if (granted === null) return answer(request, reply, { db, logger, access: granted, reply });
      const { personId } = granted.actor;
      const work = () =>
        asParty(personId, () => answer(request, reply, { db: memberDb, logger, access: granted, reply }));
      if (!("workspaceId" in granted)) return places.run(personId, reply.raw, work);
      const { workspaceId } = granted;
      const inTurn =
        method === "GET"
          ? () => inTurnOfReader(personId, memberDb, workspaceId, reply.raw, work)
          : () => changes.run(workspaceId, work);
      return places.run(personId, reply.raw, inTurn);
    },
  });
}
