import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "#libs/contract/errors.ts";
import { hasRole } from "#libs/domain/member.ts";
import { httpError, tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { Services } from "../services.ts";
import type { Actor } from "./actor.ts";
import { identify } from "./credentials.ts";

const KEY_RATE: RateRule = { name: "api-key", points: 120, durationSeconds: 60 };

/**
 * Lets a request pass, or throws, in the order 401, 403, 429; runs before the body is read, so that nobody learns what
 * is wrong with an input without the right to send it. Null for the public surface.
 */
export async function authorise(
  services: Services,
  access: Access,
  request: FastifyRequest<{ Params: { workspaceId?: string } }>,
  reply: FastifyReply,
): Promise<Actor | null> {
  if (access.kind === "public") return null;
  const actor = await identify(services, request, request.params.workspaceId ?? null);
  if (access.kind !== "member" && actor.kind === "key") {
    throw httpError("FORBIDDEN", "This needs a signed-in person, not a key.");
  }
  if (access.kind !== "session" && !hasRole(actor.member?.role ?? "Viewer", access.role)) {
    throw httpError("FORBIDDEN", `This needs the role ${access.role}.`);
  }
  if (actor.kind === "key") await takeFromRate(services, actor.id, reply);
  return actor;
}

async function takeFromRate(services: Services, keyId: string, reply: FastifyReply): Promise<void> {
  const rate = await services.limits.consume(KEY_RATE, keyId);
  reply.headers({
    "ratelimit-limit": String(rate.limit),
    "ratelimit-remaining": String(rate.remaining),
    "ratelimit-reset": String(Math.ceil(rate.resetMs / 1000)),
  });
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
}
