import { z } from "zod";
import type { Server } from "../processes/server.ts";
import { startBaseline } from "./baseline.ts";

/** The one route of the Postgres baseline, with its statement. */
export const statementRoute = z.object({
  databaseUrl: z.string(),
  method: z.enum(["GET", "POST"]),
  url: z.string(),
  statement: z.string(),
  /** Names of the URL's parameters, in the order of `$1`, `$2`, … */
  parameters: z.array(z.string()),
  /** Instead of the rows as JSON. */
  answer: z.string().optional(),
});

/** A Fastify that runs one prepared statement for each request, over a pool of pg. */
export function startStatementServer(
  route: z.input<typeof statementRoute>,
  profileDir: string | undefined,
): Promise<Server> {
  return startBaseline("statement-server.ts", route, profileDir);
}
