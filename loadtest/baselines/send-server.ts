// A baseline: the next common design, a Fastify that sends one message to Kafka for each request and waits for it.
import { fastify } from "fastify";
import { Kafka, logLevel } from "kafkajs";
import { z } from "zod";
import { ACCEPTED } from "../clients/browser.ts";
import { sendRoute } from "./send.ts";

const { brokers, topic } = sendRoute.parse(JSON.parse(z.string().parse(process.argv[2])));
const PARTITIONS = 4;
const kafka = new Kafka({ brokers: brokers.split(","), logLevel: logLevel.ERROR, retry: { retries: 2 } });
const admin = kafka.admin();
await admin.connect();
await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS, replicationFactor: 1 }] });
await admin.disconnect();
const producer = kafka.producer({ allowAutoTopicCreation: false });
await producer.connect();

const answer = Buffer.from(ACCEPTED);
const parameters = z.object({ adId: z.string() });
const app = fastify();
app.post("/v1/ads/:adId/impressions", async (request, reply) => {
  const { adId } = parameters.parse(request.params);
  const value = JSON.stringify({
    adId,
    kind: "impression",
    at: Date.now(),
    agent: request.headers["user-agent"],
  });
  await producer.send({ topic, acks: -1, messages: [{ value }] });
  reply.type("application/json; charset=utf-8");
  return answer;
});
process.on("SIGTERM", () => process.exit());
process.stdout.write(`listening at ${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
