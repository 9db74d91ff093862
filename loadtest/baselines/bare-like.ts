import type { Server } from "../processes/server.ts";
import { type BareOn, startBare } from "./bare.ts";

/** Node writes these itself, the same on both sides. */
const OF_THE_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "date",
  "content-length",
  "transfer-encoding",
]);

/** A bare server for the route of serving that answers with the status, headers and bytes that `path` has now. */
export async function startBareLike(
  { origin }: { readonly origin: string },
  path: string,
  profileDir: string | undefined,
  headers: Readonly<Record<string, string>> = {},
  on: BareOn = "Fastify",
): Promise<Server> {
  const response = await fetch(`${origin}${path}`, { headers });
  const kept = [...response.headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
  return startBare(
    {
      method: "GET",
      url: "/v1/workspaces/:workspaceId/ads/serving",
      headers: Object.fromEntries(kept),
      body: await response.text(),
      status: response.status,
    },
    profileDir,
    on,
  );
}
