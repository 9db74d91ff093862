import { Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { within } from "#libs/async/index.ts";

const CHECK_EVERY_MS = 20;
/** How long callers have to use up the connections that they keep open. A busy proxy needs less, an idle one loses nothing. */
const DRAIN_MS = 500;
/** How long a connection may stay silent once the server closes: its first request may be under way. */
const SPEAKS_WITHIN_MS = 500;
/** The time for requests in progress. Together with `DRAIN_MS` it is less than a shutdown gives the server. */
const ANSWERED_WITHIN_MS = 3_200;
/** Turns of the event loop after which a server stops listening even while new connections arrive in each. */
const MOST_TURNS = 1_000;

/**
 * Closes each connection after its next answer, and the server once no request is under way. Idle connections
 * stay open for `DRAIN_MS`: a caller may be sending a POST on one of them, which a proxy must not repeat at another process if
 * the connection ends without an answer. A connection that stays silent, or on which half of a request arrives, is cut off.
 */
export function endConnectionsOnceAnswered(app: FastifyInstance): void {
  const { server } = app;
  const sockets = openSocketsOf(server);
  const cutOff = (isOver: (socket: Socket) => boolean) => {
    for (const socket of sockets) if (isOver(socket)) socket.destroy();
  };
  app.addHook("preClose", async () => {
    // Fastify adds this header to its own answers only, not to those that are written past it.
    server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
    // A server that never listened emits no `close`.
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.once("close", resolve));
    stopListening(server);
    await within(DRAIN_MS, "draining", closed).catch(() => undefined);
    const checking = setInterval(() => server.closeIdleConnections(), CHECK_EVERY_MS);
    const silent = setTimeout(() => cutOff(({ bytesRead }) => bytesRead === 0), SPEAKS_WITHIN_MS);
    const late = setTimeout(() => cutOff(() => true), ANSWERED_WITHIN_MS);
    server.once("close", () => {
      clearInterval(checking);
      clearTimeout(silent);
      clearTimeout(late);
    });
  });
}

/** Node ends idle connections only after a request on them, and its time-outs for the others stop with the server. */
function openSocketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Closes the listener, not idle connections as Node's `close` does. The kernel resets connections that were not accepted,
 * so it waits for a turn of the event loop in which none was accepted.
 */
function stopListening(server: Server): void {
  let accepted = 0;
  server.on("connection", () => {
    accepted += 1;
  });
  const check = (before: number, turns: number) => {
    if (accepted > before && turns < MOST_TURNS) setImmediate(check, accepted, turns + 1);
    else Server.prototype.close.call(server);
  };
  // The present turn may have been long, so connections may be waiting: the next one accepts them.
  setImmediate(() => setImmediate(check, accepted, 0));
}
