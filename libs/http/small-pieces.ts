import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { httpError } from "./http-error.ts";

/** Pieces in which a body may arrive whatever their size: they take as long as a request. */
const FREE_PIECES = 100;
/** In bytes: those beyond must have as much on average. */
const SMALL_PIECE = 64;

/**
 * Refuses a body in more pieces than anybody needs. Each takes Node a microsecond or two, as long as hundreds of bytes in one, so that
 * megabytes in chunks, or in records of TLS, of one byte would take the time of everybody else's requests. `refuse` ends the connection.
 */
export function insistOnLargePieces(
  listener: RequestListener,
  refuse: (error: Error, socket: Socket) => void,
): RequestListener {
  return (request, response) => {
    if (hasBody(request)) countPieces(request, refuse);
    listener(request, response);
  };
}

/** Whether a body follows the headers. */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** Node's parser calls `push` with each piece, before anybody reads it, and stops reading the connection where that returns false. */
function countPieces(request: IncomingMessage, refuse: (error: Error, socket: Socket) => void): void {
  const push = request.push.bind(request);
  let pieces = 0;
  let bytes = 0;
  let isRefused = false;
  request.push = (piece: Buffer | null, encoding) => {
    if (isRefused) return false;
    if (piece === null) return push(piece, encoding);
    pieces += 1;
    bytes += piece.length;
    if (pieces <= FREE_PIECES + bytes / SMALL_PIECE) return push(piece, encoding);
    isRefused = true;
    refuse(httpError("BAD_REQUEST", "The body came in too many small pieces."), request.socket);
    return false;
  };
}
