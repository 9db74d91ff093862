import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { httpError } from "./http-error.ts";

/** Chunks that a body may have whatever their size. */
const FREE_CHUNKS = 1_000;
/** In bytes: those beyond must have as much on average. */
const SMALL_CHUNK = 64;

/**
 * Refuses a chunked body in more chunks than anybody needs. Each chunk takes Node about a microsecond, as long as hundreds of bytes in
 * one, so that megabytes in chunks of one byte would take the time of everybody else's requests. `refuse` ends the connection.
 */
export function insistOnLargeChunks(
  listener: RequestListener,
  refuse: (error: Error, socket: Socket) => void,
): RequestListener {
  return (request, response) => {
    if (request.headers["transfer-encoding"] !== undefined) countChunks(request, refuse);
    listener(request, response);
  };
}

/** Node's parser calls `push` with each chunk, before anybody reads it, and stops reading the connection where that returns false. */
function countChunks(request: IncomingMessage, refuse: (error: Error, socket: Socket) => void): void {
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  let isRefused = false;
  request.push = (chunk: Buffer | null, encoding) => {
    if (isRefused) return false;
    if (chunk === null) return push(chunk, encoding);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= FREE_CHUNKS + bytes / SMALL_CHUNK) return push(chunk, encoding);
    isRefused = true;
    refuse(httpError("BAD_REQUEST", "The body came in too many small chunks."), request.socket);
    return false;
  };
}
