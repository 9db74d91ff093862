import { createServer } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Shutdown } from "#libs/http/index.ts";
import { hostForUrl, type Tls } from "./network.ts";
import { listenOnLoopback } from "./ports.ts";
import { StartError } from "./start-error.ts";

/**
 * Begins to answer requests; returns the origin at which this process reaches itself. Where TLS ends here that is a
 * door of its own, plain and on loopback alone: the certificate is in the name of the public address.
 */
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
  return tls === undefined ? `http://${hostForUrl(host)}:${port}` : await openInnerDoor(app, shutdown);
}

async function openInnerDoor(app: FastifyInstance, shutdown: Shutdown): Promise<string> {
  const server = createServer((request, response) => app.routing(request, response));
  shutdown.onRelease("the inner door", () => {
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
