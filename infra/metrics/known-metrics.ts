import { Histogram, Registry } from "prom-client";
import { openDatabase } from "#libs/database/connection.ts";
import { measurePool } from "#libs/database/pool-metrics.ts";
import { measureBacklog } from "#libs/event-log/index.ts";
import { createLogger, createServer, measureRequests } from "#libs/http/index.ts";
import { measureProcess } from "#libs/process/index.ts";
import { createIngestionMetrics } from "../../services/ingestion/metrics.ts";
import { createReconciliationMetrics } from "../../services/management/billing/reconciliation/runs.ts";
import { measureInbox } from "../../services/management/billing/webhooks/metrics.ts";
import { measureDropped } from "../../services/management/mail/dropped.ts";
import { measureMail } from "../../services/management/mail/measured-mail.ts";
import { measureJobs } from "../../services/management/worker/job-metrics.ts";
import { createServingMetrics } from "../../services/serving/answers/metrics.ts";
import { watchTracking } from "../../services/serving/record/tracking-health.ts";
import { registerFileMetrics } from "../../services/serving/start/operator-file-metrics.ts";
import { registerSpillMetrics } from "../../services/serving/start/spill-metrics.ts";

/** The metrics of Prometheus itself, its prober, engines and the usual exporters that our alerts and dashboards ask for. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  probe_success: ["engine"],
  ClickHouseProfileEvents_InsertedRows: [],
  ClickHouseAsyncMetrics_MaxPartCountForPartition: [],
  ClickHouseMetrics_MemoryTracking: [],
  minio_cluster_capacity_usable_free_bytes: [],
  node_filesystem_avail_bytes: ["fstype", "mountpoint"],
  node_filesystem_size_bytes: ["fstype", "mountpoint"],
  pg_stat_activity_count: [],
  pg_settings_max_connections: [],
  redis_memory_used_bytes: [],
  redis_memory_max_bytes: [],
  kafka_topic_partition_under_replicated_partition: ["topic"],
  probe_ssl_earliest_cert_expiry: [],
};

/**
 * Every time series that can be asked for, with its labels: registered as the services register them, not listed. Nothing
 * is scraped, so nothing has to be there.
 */
export async function knownMetrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = new Registry();
  const logger = createLogger({ level: "silent" });
  const { db, pool, close } = openDatabase({
    url: "postgres://nobody@127.0.0.1:1/none",
    maxConnections: 1,
    logger,
  });
  const app = createServer({ logger, trustProxy: false, publicUrl: new URL("http://127.0.0.1") });

  measureRequests(app, metrics, 1_000);
  createServingMetrics(metrics);
  registerSpillMetrics(metrics, () => {
    throw new Error("nothing is scraped");
  });
  registerFileMetrics(metrics, new Map());
  watchTracking({ isWritable: true }, metrics);
  createIngestionMetrics(metrics, () => 0);
  measureBacklog({ backlog: () => Promise.reject(new Error("nothing is scraped")) }, metrics);
  measureProcess(metrics, "serving");
  measurePool(pool, metrics);
  measureJobs({ db, metrics, logger });
  measureDropped({ db, metrics, logger });
  measureMail({ send: () => Promise.reject(new Error("nothing is sent")) }, metrics);
  createReconciliationMetrics({ db, metrics, logger });
  measureInbox({ db, metrics, logger, now: Date.now });
  await Promise.all([close(), app.close()]);

  const known = new Map(Object.entries(OF_OTHERS).map(([name, labels]) => [name, new Set(labels)] as const));
  for (const metric of metrics.getMetricsAsArray()) {
    const labels: unknown = Reflect.get(metric, "labelNames");
    const set = new Set(Array.isArray(labels) ? labels.map(String) : []);
    if (metric instanceof Histogram) {
      known.set(`${metric.name}_bucket`, new Set([...set, "le"]));
      known.set(`${metric.name}_sum`, set);
      known.set(`${metric.name}_count`, set);
    } else known.set(metric.name, set);
  }
  // Prometheus adds where a series came from.
  for (const labels of known.values()) labels.add("job").add("instance");
  return known;
}
