import { Server } from "node:net";
import type { FastifyInstance } from "fastify";

const LOOK_EVERY_MS = 20;
/** For a proxy to use up the connections that it has kept open; with fewer requests than that it uses few of them. */
const PROXY_LETS_GO_WITHIN_MS = 500;

/** A server that is asked without a pause stops listening all the same. */
const MOST_LOOKS = 1_000;

/**
 * Lets the server close as soon as the requests under way are answered, and each connection end with an answer. Behind a
 * proxy idle connections stay open for a moment: on one that ends just now the proxy may be sending a POST, which it
 * must not send to another process, so that the visitor would be refused.
 */
export function endConnectionsOnceAnswered(app: FastifyInstance, isBehindProxy: boolean): void {
  app.addHook("preClose", (done) => {
    const { server } = app;
    // Also for answers that are written past Fastify, which says this itself on all others.
    server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
    // A server that never listened does not close either.
    if (!server.listening) return done();
    const endIdle = () => {
      const looking = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
      server.once("close", () => clearInterval(looking));
      done();
    };
    if (!isBehindProxy) return endIdle();
    const patience = setTimeout(() => {
      server.off("close", endEarly);
      endIdle();
    }, PROXY_LETS_GO_WITHIN_MS);
    const endEarly = () => {
      clearTimeout(patience);
      done();
    };
    server.once("close", endEarly);
    stopListening(server);
  });
}

/**
 * Stops listening between two connections, as far as one can: the kernel resets those that it has taken for us and that
 * we have not accepted. Node's HTTP server would end the idle ones as well.
 */
function stopListening(server: Server): void {
  let accepted = 0;
  server.on("connection", () => {
    accepted += 1;
  });
  const look = (before: number, looks: number) => {
    if (accepted > before && looks < MOST_LOOKS) setImmediate(look, accepted, looks + 1);
    else Server.prototype.close.call(server);
  };
  // Each turn of the event loop accepts what has arrived; the first may have been busy for long before this.
  setImmediate(() => setImmediate(look, accepted, 0));
}
