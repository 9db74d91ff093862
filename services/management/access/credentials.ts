import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { hashApiKey, hasValidChecksum } from "#libs/domain/api-key.ts";
import { isId } from "#libs/domain/ids.ts";
import { type HttpError, httpError } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { Services } from "../services.ts";
import type { Identity } from "./granted.ts";
import { findKey, touchKey } from "./queries.ts";

const BEARER = /^Bearer ([\x21-\x7e]{1,200})$/i;
const KEY_RATE: RateRule = { name: "api-key", points: 120, durationSeconds: 60 };
/** Per person, over all sessions: pages send many requests at once, but nobody clicks ten times per second. */
const PERSON_RATE: RateRule = { name: "person", points: 600, durationSeconds: 60 };
const TOUCH_EVERY_MS = 60_000;
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Identifies the caller by their key or session, and their membership in the workspace of the path. If the request has an
 * `Authorization` header, only that counts. Throws 401 for a missing, malformed or revoked credential, 403 for one of another
 * workspace.
 */
export async function identify(
  services: Services,
  request: FastifyRequest,
  workspaceId: string | null,
): Promise<Identity> {
  const { authorization } = request.headers;
  return authorization === undefined
    ? await identifyPerson(services, request, workspaceId)
    : await identifyKey(services, authorization, workspaceId);
}

async function identifyKey(
  services: Services,
  authorization: string,
  workspaceId: string | null,
): Promise<Identity> {
  const key = BEARER.exec(authorization)?.[1];
  // A mistyped key is refused by its checksum, with no look-up.
  if (key === undefined || !hasValidChecksum(key)) throw httpError("UNAUTHORIZED");

  const hash = hashApiKey(key);
  const [found] = await findKey(services.db, { hash });
  if (found === undefined || !timingSafeEqual(found.hash, hash)) throw httpError("UNAUTHORIZED");

  const now = services.now();
  if (found.last_used_at === null || found.last_used_at.getTime() < now - TOUCH_EVERY_MS) {
    touchKey(services.db, found.workspace_id, found.id, new Date(now)).catch((error: unknown) =>
      services.logger.warn({ err: error }, "could not note that a key was used"),
    );
  }
  const rate = await services.limits.consume(KEY_RATE, found.id);
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
  services: Services,
  request: FastifyRequest,
  workspaceId: string | null,
): Promise<Identity> {
  const person = await services.people.findBySession(
    request.headers,
    workspaceId !== null && isId("workspace", workspaceId) ? workspaceId : null,
  );
  if (person === null) throw httpError("UNAUTHORIZED");
  if (!SAFE_METHODS.has(request.method) && !services.people.isOwnOrigin(request.headers)) {
    throw httpError("FORBIDDEN", "A session may only be used from this site.");
  }
  const rate = await services.limits.consume(PERSON_RATE, person.id);
  const actor = { kind: "person", id: person.id, personId: person.id, name: person.name } as const;
  if (workspaceId === null) return { actor, member: null, rate };
  const { member } = person;
  if (member === null) throw httpError("FORBIDDEN", "You are not a member of this workspace.");
  const { id, role, workspaceSuspended } = member;
  if (workspaceSuspended) throw suspendedWorkspace();
  return { actor, member: { id, role, workspaceId }, rate };
}

function suspendedWorkspace(): HttpError {
  return httpError("FORBIDDEN", "This workspace is suspended. Ask the operator of this installation.");
}
