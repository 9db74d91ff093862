import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Child } from "../processes/child.ts";

const logAt = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("local"), file: z.string() }),
  z.object({ kind: z.literal("Kafka"), brokers: z.string(), topic: z.string() }),
]);
export type LogAt = z.infer<typeof logAt>;

/** Each is moved by itself, so that as many inserts are under way. */
export const KAFKA_PARTITIONS = 4;

/** What the process is asked to do: events into a log, from there into the store, or into the store by the bare client. */
export const ingestionAsk = z.object({
  what: z.enum(["fill", "ingest", "insert"]),
  log: logAt.optional(),
  clickHouse: z.object({ url: z.string(), username: z.string(), password: z.string(), database: z.string() }),
  events: z.number(),
  /** Inserts of the bare client under way at the same time. */
  atOnce: z.number().default(1),
});
export type IngestionAsk = z.output<typeof ingestionAsk>;

const ingestionAnswer = z.object({
  /** From the first range read, or the first row inserted, to the last one stored. */
  seconds: z.number(),
  /** The CPU of this process. */
  cpuMicros: z.number(),
});
export type IngestionAnswer = z.infer<typeof ingestionAnswer>;

const PROGRAM = fileURLToPath(new URL("ingestion-process.ts", import.meta.url));
const DONE_WITHIN_MS = 300_000;

/** A process of its own that moves events, on the server's core. */
export interface Ingester {
  run(ask: z.input<typeof ingestionAsk>): Promise<IngestionAnswer>;
  stop(): Promise<void>;
}

export function startIngester(): Ingester {
  const child = new Child({ role: "server", args: [PROGRAM] });
  return {
    run: async (ask) => ingestionAnswer.parse(await child.ask(ask, DONE_WITHIN_MS)),
    stop: () => child.stop(),
  };
}
