import { z } from "zod";
import type { Server } from "../processes/server.ts";
import { startBaseline } from "./baseline.ts";

/** Where the baseline that sends once a request sends to. */
export const sendRoute = z.object({ brokers: z.string(), topic: z.string() });

/** A Fastify whose every impression is one send to Kafka, acknowledged by all replicas. */
export function startSendServer(
  route: z.infer<typeof sendRoute>,
  profileDir: string | undefined,
): Promise<Server> {
  return startBaseline("send-server.ts", route, profileDir);
}
