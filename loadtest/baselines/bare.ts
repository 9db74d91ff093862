import { z } from "zod";
import { type Server, startServer } from "../processes/server.ts";

/** The one route of a bare server, and all that it answers. */
export const bareRoute = z.object({
  method: z.enum(["GET", "POST"]),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  status: z.number().default(200),
});

/** A bare Fastify that answers from a ready Buffer. */
export function startBare(route: z.input<typeof bareRoute>, profileDir: string | undefined): Promise<Server> {
  return startServer({
    program: new URL("bare-server.ts", import.meta.url),
    args: [JSON.stringify(route)],
    ready: /listening at (\S+)\n/,
    profileDir,
  });
}
