import { z } from "zod";
import type { Options } from "../measure/options.ts";
import type { Server } from "../processes/server.ts";
import { startBaseline } from "./baseline.ts";

/** The one route of a bare server, and all that it answers. */
export const bareRoute = z.object({
  method: z.enum(["GET", "POST"]),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  status: z.number().default(200),
});

/** The least that a server can be: on Fastify, and on nothing but Node. */
const BARE = ["Fastify", "node:http"] as const;
export type BareOn = (typeof BARE)[number];

/** The bare servers of a run: a quick one has time for the first only. */
export function bareOf({ quick }: Pick<Options, "quick">): readonly BareOn[] {
  return quick ? BARE.slice(0, 1) : BARE;
}

const PROGRAMS = { Fastify: "bare-server.ts", "node:http": "bare-http-server.ts" } as const;

/** A bare server that answers from a ready Buffer. */
export function startBare(
  route: z.input<typeof bareRoute>,
  profileDir: string | undefined,
  on: BareOn = "Fastify",
): Promise<Server> {
  return startBaseline(PROGRAMS[on], route, profileDir);
}
