// Checks what no schema knows of the manifests that kustomize has built: they come on standard input.
import { text } from "node:stream/consumers";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

const resource = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
  spec: z.unknown().optional(),
});
const policy = z.object({
  egress: z.array(z.object({ ports: z.array(z.object({ port: z.number() })).default([]) })).default([]),
});
const scaledObject = z.object({
  triggers: z.tuple([z.object({ metadata: z.object({ bootstrapServers: z.string() }) })]),
});

const resources = parseAllDocuments(await text(process.stdin)).map((one) => resource.parse(one.toJS()));
const find = (kind: string, name: string) => {
  const found = resources.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
};

const { KAFKA_BROKERS: brokers = "" } = find("ConfigMap", "kafka-settings").data;
const { CLICKHOUSE_URL: clickhouse = "" } = find("ConfigMap", "clickhouse-settings").data;
const kafkaPorts = brokers.split(",").map((broker) => Number(broker.split(":")[1]));
const { port, protocol } = new URL(clickhouse);
const clickhousePort = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

const { triggers } = scaledObject.parse(find("ScaledObject", "ingestion").spec);
const problems =
  triggers[0].metadata.bootstrapServers === brokers ? [] : ["KEDA asks other brokers than ingestion."];
const needs = {
  serving: kafkaPorts,
  ingestion: [...kafkaPorts, clickhousePort],
  management: [clickhousePort],
};
for (const [name, ports] of Object.entries(needs)) {
  const { egress } = policy.parse(find("NetworkPolicy", name).spec);
  const open = egress.flatMap((rule) => rule.ports.map((one) => one.port));
  for (const needed of new Set(ports)) {
    if (!open.includes(needed))
      problems.push(`The NetworkPolicy ${name} does not let it reach port ${needed}.`);
  }
}
process.stderr.write(problems.map((problem) => `${problem}\n`).join(""));
if (problems.length > 0) process.exitCode = 1;
