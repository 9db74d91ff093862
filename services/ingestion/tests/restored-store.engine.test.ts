import { randomUUID } from "node:crypto";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { createClient } from "@clickhouse/client";
import { Kafka, logLevel } from "kafkajs";
import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, it, onTestFinished, vi } from "vitest";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { encodeLoggedEvent } from "#libs/domain/logged-event.ts";
import { openKafkaEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import { createStatsStore } from "#libs/stats-store/index.ts";
import { startIngestion } from "../worker.ts";
import { A_LOGGED_EVENT } from "./events.ts";

const environment = process.env;
const brokers = (environment.KAFKA_TEST_BROKERS ?? "").split(",");
const clickhouse = {
  url: environment.CLICKHOUSE_TEST_URL ?? "",
  username: environment.CLICKHOUSE_TEST_USER ?? "",
  password: environment.CLICKHOUSE_TEST_PASSWORD ?? "",
};
const s3 = {
  endpoint: environment.S3_TEST_ENDPOINT ?? "",
  accessKeyId: environment.S3_TEST_ACCESS_KEY_ID ?? "",
  secretAccessKey: environment.S3_TEST_SECRET_ACCESS_KEY ?? "",
};

async function aBucket(): Promise<string> {
  const bucket = `restored-${randomUUID()}`;
  const { endpoint, ...credentials } = s3;
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return bucket;
}

function aBatch(count: number) {
  const rows = Array.from({ length: count }, (_, n) =>
    encodeLoggedEvent({
      ...A_LOGGED_EVENT,
      id: newId("event"),
      workspaceId: "ws_1",
      adId: `ad_${n % 5}`,
      kind: "impression",
      verdict: "valid",
      visitor: n.toString(16).padStart(16, "0"),
      occurredAt: Date.UTC(2026, 4, 10, 12) + n,
      source: "page",
      place: NO_PLACE,
    }),
  );
  return { rows: Buffer.from(rows.join("")), count };
}

// As infra/docs/backup.md tells it.
it("counts everything once after an older ClickHouse has been restored and the group's offsets deleted", async () => {
  const topic = `restored-${randomUUID()}`;
  const database = `test_${randomUUID().replaceAll("-", "")}`;
  const place = `S3('${s3.endpoint}/${await aBucket()}/backup', '${s3.accessKeyId}', '${s3.secretAccessKey}')`;
  const log = await openKafkaEventLog({ brokers, topic, partitions: 2, replication: 1, retentionHours: 1 });
  onTestFinished(() => log.close());
  const client = createClient(clickhouse);
  onTestFinished(() => client.close());
  const store = createStatsStore({ ...clickhouse, database });
  onTestFinished(() => store.close());
  await store.migrate();
  onTestFinished(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` });
  });
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());

  async function ingestAll(): Promise<void> {
    const ingestion = await startIngestion({
      log,
      store,
      judge: createMemoryJudge(),
      logger: pino({ level: "silent" }),
      registry: new Registry(),
      lingerMs: 20,
    });
    await vi.waitFor(async () => expect(await log.lag()).toBe(0), { timeout: 20_000, interval: 100 });
    await ingestion.close();
  }
  const append = (batches: number) =>
    Promise.all(Array.from({ length: batches }, () => log.append(aBatch(50))));

  await append(30);
  await ingestAll();
  await client.command({ query: `BACKUP DATABASE ${database} TO ${place}` });
  await append(20);
  await ingestAll();
  await append(10);

  await client.command({ query: `DROP DATABASE ${database} SYNC` });
  await client.command({ query: `RESTORE DATABASE ${database} FROM ${place}` });
  await vi.waitFor(() => admin.deleteGroups([`${topic}-ingestion`]), { timeout: 20_000, interval: 200 });
  await ingestAll();

  const result = await client.query({
    query: `SELECT (SELECT count() FROM ${database}.events) AS events,
      (SELECT uniqExact(event_id) FROM ${database}.events) AS ids,
      (SELECT sum(daily.events) FROM ${database}.daily) AS daily`,
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  expect(await result.json()).toEqual([{ events: 3000, ids: 3000, daily: 3000 }]);
});
