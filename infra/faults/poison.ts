import { randomBytes } from "node:crypto";
import { Kafka, logLevel } from "kafkajs";
import type { Installation } from "./installation.ts";
import { sumOfMetric } from "./services.ts";

const TOPIC = "placard-events";
const SOMEBODY = '"ws_0","ad_0","impression","valid","0123456789abcdef"';

/** What no version of Placard would write. */
const POISON: readonly (Buffer | null)[] = [
  null,
  Buffer.alloc(0),
  randomBytes(300),
  Buffer.from("\n\n\n"),
  Buffer.from("{]\n"),
  Buffer.from("this is no JSON\nand neither is this\n"),
  Buffer.from('["evt_0"]\n'),
  Buffer.from('{"event_id":"evt_0"}\n'),
  Buffer.from(`["evt_0",${SOMEBODY},"yesterday"]\n`),
  // Refused by a constraint of the table, not by the parser.
  Buffer.from(`["evt_0",${SOMEBODY},0]\n`),
  Buffer.from(`["evt_0",${SOMEBODY.replace("valid", "unheard-of")},1700000000000]\n`),
  // Without its end of line, so that it would swallow the line after it.
  Buffer.from(`["evt_0",${SOMEBODY},17000`),
  Buffer.from(`["evt_0","${"x".repeat(500_000)}"]\n`),
];

/** Writes poison into every partition of the topic, between the messages of serving. */
export async function producePoison({ engines }: Installation): Promise<void> {
  const kafka = new Kafka({
    clientId: "poison",
    brokers: [`127.0.0.1:${engines.kafka.address.port}`],
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  const producer = kafka.producer();
  try {
    await admin.connect();
    await producer.connect();
    const partitions = await admin.fetchTopicOffsets(TOPIC);
    for (const value of POISON) {
      const headers = { count: "many", sent: "never", mayRepeat: "perhaps" };
      const messages = partitions.map(({ partition }) => ({ partition, value, headers }));
      await producer.send({ topic: TOPIC, acks: -1, messages });
    }
  } finally {
    await producer.disconnect();
    await admin.disconnect();
  }
}

/** Lines in the dead letters since the start of ingestion. */
export function countDeadLetters({ ingestion }: Installation): Promise<number> {
  return sumOfMetric(ingestion, "placard_ingestion_refused_lines_total");
}
