import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait on a connection for the answer to the one before. */
const MOST_WAITING = 32;

/**
 * Handles the requests of a connection one after the other, and closes a connection on which more than 32 wait. Node alone hands
 * over all that it has read, hundreds in 64 KiB, and keeps each answer until those before it are sent: with answers of a
 * megabyte, a few connections that are not read would take all memory. A connection has one request handled in a turn of the event loop,
 * so that many with 32 each don't hold up those that are opened meanwhile.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node gives a response its socket when those before it are sent.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const { socket } = request;
    const before = waiting.get(socket) ?? 0;
    if (before === MOST_WAITING) {
      socket.destroy();
      return;
    }
    waiting.set(socket, before + 1);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      // Node is not done with giving it the socket.
      setImmediate(listener, request, response);
    });
  };
}
