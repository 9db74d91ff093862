import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { httpError } from "./http-error.ts";

/** The first pieces of a body are part of what a request costs. */
const PIECES_OF_REQUEST = 4;
/** Further pieces of the bodies of a connection that may be small: a client may write a piece per field. */
const MOST_SMALL = 1_000;
/** Small pieces forgiven per second, so that a client that always writes them is not refused once in hundreds of requests. */
const FORGOTTEN_A_SECOND = 100;
/** Bytes that make up for one small piece. A large piece makes up for small ones before it, not after it. */
const SMALL_PIECE = 16;

/**
 * Refuses a body in more pieces than anybody needs. Each takes Node a microsecond or two, as long as hundreds of bytes in one, so that
 * megabytes in chunks, or in records of TLS, of one byte would take the time of everybody else's requests. They are counted by connection,
 * because many short bodies may wait on one. `refuse` ends it.
 */
export function insistOnLargePieces(
  listener: RequestListener,
  refuse: (error: Error, socket: Socket) => void,
  now: () => number = () => performance.now(),
): RequestListener {
  const received = new WeakMap<Socket, Received>();
  return (request, response) => {
    if (hasBody(request)) {
      const { socket } = request;
      const at = now();
      const ofConnection = received.get(socket) ?? { small: 0, at };
      const forgotten = ((at - ofConnection.at) / 1_000) * FORGOTTEN_A_SECOND;
      ofConnection.small = Math.max(0, ofConnection.small - forgotten);
      ofConnection.at = at;
      received.set(socket, ofConnection);
      countPieces(request, ofConnection, (error) => refuse(error, socket));
    }
    listener(request, response);
  };
}

/** Small pieces of a connection that are not yet made up for or forgiven, as of `at` (milliseconds). */
interface Received {
  small: number;
  at: number;
}

/** Whether a body follows the headers. */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** Node's parser calls `push` with each piece, before anybody reads it, and stops reading the connection where that returns false. */
function countPieces(request: IncomingMessage, received: Received, refuse: (error: Error) => void): void {
  const push = request.push.bind(request);
  let pieces = 0;
  let isRefused = false;
  request.push = (piece: Buffer | null, encoding) => {
    if (isRefused) return false;
    if (piece === null) return push(piece, encoding);
    pieces += 1;
    const counted = pieces > PIECES_OF_REQUEST ? 1 : 0;
    received.small = Math.max(0, received.small + counted - piece.length / SMALL_PIECE);
    if (received.small <= MOST_SMALL) return push(piece, encoding);
    isRefused = true;
    refuse(httpError("BAD_REQUEST", "The body came in too many small pieces."));
    return false;
  };
  // After an answer that did not wait for the body Node drops the rest by this undocumented method, without `push`.
  Reflect.set(request, "_dump", () => void request.resume());
}
