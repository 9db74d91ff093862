import type { FastifyInstance } from "fastify";
import type { Shutdown } from "#libs/http/index.ts";
import type { Configuration } from "./configuration.ts";
import { StartError } from "./start-error.ts";

/** Begins to answer requests; returns the origin to reach this process at from this machine. */
export async function listen(
  app: FastifyInstance,
  { host, port, tls }: Pick<Configuration, "host" | "port" | "tls">,
  shutdown: Shutdown,
): Promise<string> {
  shutdown.onRelease("the server", () => app.close());
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new StartError(sentenceFor(error, host, port), { cause: error });
  }
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `${tls === undefined ? "http" : "https"}://${reachable}:${port}`;
}

function sentenceFor(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} on ${host} is taken; give another PORT.`;
  if (code === "EACCES") return `Port ${port} on ${host} may not be used by this user; give another PORT.`;
  if (code === "EADDRNOTAVAIL") return `${host} is not an address of this machine (HOST).`;
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}.`;
}
