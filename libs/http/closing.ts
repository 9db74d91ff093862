import type { FastifyInstance } from "fastify";

const LOOK_EVERY_MS = 20;

/**
 * Lets the server close as soon as the requests under way are answered. Node ends the connections that are idle when
 * closing begins; one whose request is answered after that would be kept alive, and closing would wait for its client.
 */
export function endConnectionsOnceAnswered(app: FastifyInstance): void {
  app.addHook("preClose", (done) => {
    const looking = setInterval(() => {
      if ("closeIdleConnections" in app.server) app.server.closeIdleConnections();
    }, LOOK_EVERY_MS);
    app.server.once("close", () => clearInterval(looking));
    // A server that never listened does not close either.
    if (!app.server.listening) clearInterval(looking);
    done();
  });
}
