import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { kafkaSettings, readConfig } from "#libs/config/index.ts";
import { groupOf } from "#libs/event-log/kafka/event-log.ts";

const scaledObject = z.object({
  kind: z.literal("ScaledObject"),
  spec: z.object({
    maxReplicaCount: z.number(),
    triggers: z.tuple([
      z.object({
        metadata: z.object({ bootstrapServers: z.string(), consumerGroup: z.string(), topic: z.string() }),
      }),
    ]),
  }),
});
const settings = z.object({
  metadata: z.object({ name: z.literal("kafka-settings") }),
  data: z.record(z.string(), z.string()),
});

/** The one document of a file that has the shape. */
function find<T>(file: string, shape: z.ZodType<T>): T {
  const documents = parseAllDocuments(readFileSync(new URL(`base/${file}`, import.meta.url), "utf8"));
  const found = documents.flatMap((document) => shape.safeParse(document.toJS()).data ?? []);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${file} holds ${found.length} of them`);
  return only;
}

it("goes by how far behind the group is that ingestion reads its topic with", () => {
  const { spec } = find("ingestion.yaml", scaledObject);
  const given = readConfig(kafkaSettings, find("settings.yaml", settings).data);

  const [{ metadata }] = spec.triggers;

  expect(metadata.topic).toBe(given.kafkaTopic);
  expect(metadata.consumerGroup).toBe(groupOf(metadata.topic));
  expect(metadata.bootstrapServers.split(",")).toEqual(given.kafkaBrokers);
});

it("ends at a worker a partition", () => {
  const { spec } = find("ingestion.yaml", scaledObject);
  const given = readConfig(kafkaSettings, find("settings.yaml", settings).data);

  expect(spec.maxReplicaCount).toBe(given.kafkaPartitions);
});
