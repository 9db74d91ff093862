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
 * Lets a request pass with what it may do, or throws, in the order 401, 403, 429; runs before the body is read, so that
 * nobody learns what is wrong with an input without the right to send it. What somebody is refused counts like what they may.
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
