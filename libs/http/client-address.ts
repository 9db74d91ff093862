import type { IncomingMessage } from "node:http";

/**
 * The address a request comes from, as Fastify's `request.ip` tells it: the peer's, or where that is a trusted proxy's,
 * the last address in `X-Forwarded-For` that is not one, else the first. Empty when the peer has gone.
 */
export function clientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): string {
  let address = request.socket.remoteAddress ?? "";
  const forwarded = request.headers["x-forwarded-for"];
  if (typeof forwarded !== "string") return address;
  for (let end = forwarded.length; end > 0 && isTrusted(address); ) {
    const comma = forwarded.lastIndexOf(",", end - 1);
    const named = forwarded.slice(comma + 1, end).trim();
    if (named !== "") address = named;
    end = comma;
  }
  return address;
}
