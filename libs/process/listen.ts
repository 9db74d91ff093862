import { createServer } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Shutdown } from "#libs/async/index.ts";
import { hostForUrl, type Tls } from "./network.ts";
import { listenOnLoopback } from "./ports.ts";
import { StartError } from "./start-error.ts";

/** Listens, and returns the origin for this process' own requests: with TLS, a plain listener on loopback. */
export async function listen(
  app: FastifyInstance,
  { host, port, tls }: { readonly host: string; readonly port: number; readonly tls: Tls | undefined },
  shutdown: Shutdown,
): Promise<string> {
  shutdown.onRelease("the server", () => app.close());
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new StartError(sentenceFor(error, host, port), { cause: error });
  }
  return tls === undefined ? `http://${hostForUrl(host)}:${port}` : await openLoopbackListener(app, shutdown);
}

async function openLoopbackListener(app: FastifyInstance, shutdown: Shutdown): Promise<string> {
  const server = createServer((request, response) => app.routing(request, response));
  shutdown.onRelease("the loopback listener", () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

function sentenceFor(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} on ${host} is taken; give another PORT.`;
  if (code === "EACCES") return `Port ${port} on ${host} may not be used by this user; give another PORT.`;
  if (code === "EADDRNOTAVAIL") return `${host} is not an address of this machine (HOST).`;
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}.`;
}
