import { once } from "node:events";
import { connect, Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { createLogger } from "../logger.ts";
import { createServer, type ServerOptions } from "../server.ts";

/** A real listening server for a test; what it logs is kept in `lines`. */
export interface TestServer {
  readonly app: FastifyInstance;
  readonly origin: string;
  readonly lines: string[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends the bytes as they are and answers with all that comes back until the connection closes. */
  sendRaw(bytes: string): Promise<string>;
  /** Sends the bytes, then breaks the connection off. */
  sendAndLeave(bytes: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server on a free loopback port, after `addRoutes` has had it. */
export async function startTestServer(
  addRoutes: (app: FastifyInstance) => void | Promise<void>,
  options: Partial<ServerOptions> = {},
): Promise<TestServer> {
  const lines: string[] = [];
  const logger = createLogger({ level: "warn" }, { write: (line) => lines.push(line) });
  const app = createServer({
    logger,
    trustProxy: false,
    publicUrl: new URL("http://127.0.0.1:8080"),
    ...options,
  });
  await addRoutes(app);
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const port = Number(new URL(origin).port);

  return {
    app,
    origin,
    lines,
    fetch: (path, init) => fetch(`${origin}${path}`, { redirect: "manual", ...init }),
    sendRaw: async (bytes) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(bytes);
      return text(socket);
    },
    sendAndLeave: async (bytes) => {
      const accepted = once(app.server, "connection");
      const socket = connect(port, "127.0.0.1");
      socket.write(bytes, () => socket.resetAndDestroy());
      const [peer] = await accepted;
      if (!(peer instanceof Socket) || peer.destroyed) return;
      const closed = Promise.withResolvers<void>();
      peer.once("close", () => closed.resolve());
      await closed.promise;
    },
    close: () => app.close(),
  };
}
