import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Access } from "#libs/contract/errors.ts";
import type { Tables } from "#libs/database/tables.ts";
import { readKey } from "#libs/domain/api-key.ts";
import { isId } from "#libs/domain/ids.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { type HttpError, httpError, sendRate, tooManyRequests } from "#libs/http/index.ts";
import type { Limits, RateRule, RateVerdict } from "#libs/limits/index.ts";
import { grant, type Identity } from "./granted.ts";
import { findKey, touchKey } from "./queries.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,200})$/i;
const KEY_RATE: RateRule = { name: "api-key", points: 120, durationSeconds: 60 };
/** Per person, over all sessions: pages send many requests at once, but nobody clicks ten times per second. */
const PERSON_RATE: RateRule = { name: "person", points: 600, durationSeconds: 60 };
const ONLY_TRACKS =
  "A tracking key only reports events, to POST /workspaces/{workspaceId}/events. Use an API key here.";
const TOUCH_EVERY_MS = 60_000;
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** A signed-in person. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Their membership in the workspace that was asked for; null without one. */
  readonly member: {
    readonly id: string;
    readonly role: MemberRole;
    readonly workspaceSuspended: boolean;
  } | null;
}

/** Finds the person of a session; implemented in `accounts/people`. */
export interface Sessions {
  /** The person whose session cookie is in the headers, or null, with their membership in a workspace, if one is named. */
  findBySession(headers: IncomingHttpHeaders, workspaceId: string | null): Promise<Person | null>;
  /** False for a request that a browser sent from a page of another site. */
  isOwnOrigin(headers: IncomingHttpHeaders): boolean;
}

export interface AccessPorts {
  readonly db: Kysely<Tables>;
  readonly people: Sessions;
  readonly limits: Pick<Limits, "consume">;
  readonly logger: Logger;
  readonly now: () => number;
}

/** The access that a request was granted; null at endpoints that anybody may call. */
export type Granted = ReturnType<typeof grant> | null;

/**
 * Grants a request its access, or throws 401, 403 or 429, in this order. Runs before the body is read, so that callers
 * without access learn nothing about their input. Refused requests count against the rate limit too.
 */
export async function authorise(
  ports: AccessPorts,
  access: Access,
  request: FastifyRequest<{ Params: { workspaceId?: string } }>,
  reply: FastifyReply,
): Promise<Granted> {
  if (access.kind === "public") return null;
  // Serving's: no endpoint of management is for tracking keys.
  if (access.kind === "tracking") throw httpError("UNAUTHORIZED");
  const { authorization } = request.headers;
  const workspaceId = request.params.workspaceId ?? null;
  // With an `Authorization` header, only that counts.
  const identity =
    authorization === undefined
      ? await identifyPerson(ports, request, reply, workspaceId)
      : await identifyKey(ports, authorization, reply, workspaceId);
  const granted = grant(access, identity);
  const { rate } = identity;
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
  return granted;
}

/**
 * Counts a request that no endpoint answers against its key, if it has a valid one, so that every answer to a key has its
 * remaining requests. Returns the 429 of one over its limit; a key that is not valid is left alone.
 */
export async function countUnknown(
  ports: AccessPorts,
  { headers: { authorization } }: FastifyRequest,
  reply: FastifyReply,
): Promise<HttpError | null> {
  if (authorization === undefined) return null;
  const found = await findValidKey(ports, authorization);
  if (found === null) return null;
  const rate = await takeFromKey(ports, found.id, reply);
  return rate.allowed ? null : tooManyRequests(rate.resetMs);
}

/** What an `Authorization` header presents; null for a malformed key. */
function readBearer(authorization: string) {
  const [, key = ""] = BEARER.exec(authorization) ?? [];
  return readKey(key);
}

/** The API key of an `Authorization` header; null for a malformed or revoked one. */
async function findValidKey({ db }: Pick<AccessPorts, "db">, authorization: string) {
  const presented = readBearer(authorization);
  // A mistyped key is refused by its checksum, with no look-up.
  if (presented?.kind !== "api") return null;
  const [found] = await findKey(db, { hash: presented.hash });
  return found !== undefined && timingSafeEqual(found.hash, presented.hash) ? found : null;
}

/** Counts a request of a key, and writes what remains on the answer, whatever that is. */
async function takeFromKey(
  { limits }: Pick<AccessPorts, "limits">,
  keyId: string,
  reply: FastifyReply,
): Promise<RateVerdict> {
  const rate = await limits.consume(KEY_RATE, keyId);
  sendRate(reply, rate);
  return rate;
}

/** Throws 401 for a malformed or revoked key, 403 for one of another workspace. */
async function identifyKey(
  ports: AccessPorts,
  authorization: string,
  reply: FastifyReply,
  workspaceId: string | null,
): Promise<Identity> {
  const found = await findValidKey(ports, authorization);
  if (found === null) {
    if (readBearer(authorization)?.kind === "tracking") throw httpError("UNAUTHORIZED", ONLY_TRACKS);
    throw httpError("UNAUTHORIZED");
  }

  const now = ports.now();
  if (found.last_used_at === null || found.last_used_at.getTime() < now - TOUCH_EVERY_MS) {
    touchKey(ports.db, found.workspace_id, found.id, new Date(now)).catch((error: unknown) =>
      ports.logger.warn({ err: error }, "could not record the use of a key"),
    );
  }
  const rate = await takeFromKey(ports, found.id, reply);
  if (workspaceId !== null && found.workspace_id !== workspaceId) {
    throw httpError("FORBIDDEN", "This key belongs to another workspace.");
  }
  if (found.workspace_suspended_at !== null) throw suspendedWorkspace();
  return {
    actor: { kind: "key", id: found.id, personId: found.person_id, name: found.name },
    member: { id: found.member_id, workspaceId: found.workspace_id, role: found.role },
    rate,
  };
}

async function identifyPerson(
  ports: AccessPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  workspaceId: string | null,
): Promise<Identity> {
  const person = await ports.people.findBySession(
    request.headers,
    workspaceId !== null && isId("workspace", workspaceId) ? workspaceId : null,
  );
  if (person === null) throw httpError("UNAUTHORIZED");
  if (!SAFE_METHODS.has(request.method) && !ports.people.isOwnOrigin(request.headers)) {
    throw httpError("FORBIDDEN", "A session may only be used from this site.");
  }
  const rate = await ports.limits.consume(PERSON_RATE, person.id);
  sendRate(reply, rate);
  const actor = { kind: "person", id: person.id, personId: person.id, name: person.name } as const;
  if (workspaceId === null) return { actor, member: null, rate };
  if (person.member === null) throw httpError("FORBIDDEN", "You are not a member of this workspace.");
  const { id, role, workspaceSuspended } = person.member;
  if (workspaceSuspended) throw suspendedWorkspace();
  return { actor, member: { id, role, workspaceId }, rate };
}

function suspendedWorkspace(): HttpError {
  return httpError("FORBIDDEN", "This workspace is suspended. Ask the operator of this installation.");
}
