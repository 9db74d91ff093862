import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "#libs/contract/errors.ts";
import { tooManyRequests } from "#libs/http/index.ts";
import type { RateVerdict } from "#libs/limits/index.ts";
import type { Services } from "../services.ts";
import { identify } from "./credentials.ts";
import { grant } from "./granted.ts";

/** What a request was granted; null on the public surface. */
export type Granted = ReturnType<typeof grant> | null;

/**
 * Grants a request its access, or throws 401, 403 or 429, in this order. Runs before the body is read, so that callers
 * without access learn nothing about their input. Refused requests count against the rate limit too.
 */
export async function authorise(
  services: Services,
  access: Access,
  request: FastifyRequest<{ Params: { workspaceId?: string } }>,
  reply: FastifyReply,
): Promise<Granted> {
  if (access.kind === "public") return null;
  const identity = await identify(services, request, request.params.workspaceId ?? null);
  const granted = grant(access, identity);
  keepRate(identity.rate, reply);
  return granted;
}

function keepRate(rate: RateVerdict, reply: FastifyReply): void {
  reply.headers({
    "ratelimit-limit": String(rate.limit),
    "ratelimit-remaining": String(rate.remaining),
    "ratelimit-reset": String(Math.ceil(rate.resetMs / 1000)),
  });
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
}
