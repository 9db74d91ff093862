import type { FastifyReply } from "fastify";

/** What a caller may do in a window, and what is left of it. */
export interface Rate {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the next window. */
  readonly resetMs: number;
}

/** Writes a caller's limit and what remains of it on the answer: `RateLimit-*`, the reset in whole seconds. */
export function sendRate(reply: FastifyReply, { limit, remaining, resetMs }: Rate): void {
  reply.headers({
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(Math.ceil(resetMs / 1000)),
  });
}
