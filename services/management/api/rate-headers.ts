import type { FastifyReply } from "fastify";
import type { RateVerdict } from "#libs/limits/index.ts";

/** Writes a caller's limit and what remains of it on the answer: `RateLimit-*`, the reset in whole seconds. */
export function sendRate(reply: FastifyReply, { limit, remaining, resetMs }: RateVerdict): void {
  reply.headers({
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(Math.ceil(resetMs / 1000)),
  });
}
