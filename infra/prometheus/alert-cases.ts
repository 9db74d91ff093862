// Cases for promtool, each a history of the series that the alerts read: which alerts fire at which minute, and no others.
import {
  type AlertCase,
  after,
  always,
  answers,
  CERTIFICATE,
  DISK,
  emails,
  engine,
  growing,
  HOUR,
  INGESTION,
  jobs,
  LONG,
  labelled,
  MANAGEMENT,
  OTHER_SERVING,
  oldest,
  refused,
  requests,
  SERVING,
  UNDER_REPLICATED,
  waits,
} from "./alert-series.ts";
import { EVENT_CASES } from "./event-alert-cases.ts";

/** Every alert fires in one of these, and in some none does. */
export const CASES: readonly AlertCase[] = [
  ...EVENT_CASES,
  { says: "nothing fires while all is well", series: {}, fires: [[5], [2 * HOUR], [26 * HOUR]] },
  {
    says: "a restart of every process, one after the other, is no reason to look",
    series: {
      [`up${SERVING}`]: `1+0x30 0 1+0x${LONG}`,
      [`up${INGESTION}`]: `1+0x33 0 1+0x${LONG}`,
      [`up${MANAGEMENT}`]: `1+0x36 0 1+0x${LONG}`,
      [answers(200)]: `0+60000x30 _ 0+60000x${LONG}`,
      [`placard_spill_refused_batches_total${SERVING}`]: `0+0x30 _ 0+0x${LONG}`,
      [refused("failed")]: `0+0x30 _ 0+0x${LONG}`,
      // Until the partitions have another worker, their events wait.
      [oldest(0)]: `1+0x32 20 40 1+0x${LONG}`,
      [`placard_ingestion_failing_seconds${INGESTION}`]: `0+0x33 _ 0+0x${LONG}`,
      // From the database, so what a new process says is what the one before said.
      [`placard_reconciliation_finished_timestamp_seconds${MANAGEMENT}`]: `0+60x35 _ 2220+60x${LONG}`,
      [`placard_reconciliation_failures_total${MANAGEMENT}`]: `0+0x35 _ 0+0x${LONG}`,
    },
    fires: [[30], [31], [32], [33], [34], [35], [36], [37], [38], [40], [50], [2 * HOUR]],
  },
  {
    says: "a first start has compared nothing yet and nobody waits for it",
    series: { [`placard_reconciliation_finished_timestamp_seconds${MANAGEMENT}`]: null },
    fires: [[30], [5 * HOUR]],
  },

  // Services
  {
    says: "a process that stays away",
    series: { [`up${OTHER_SERVING}`]: after(10, 1, 0) },
    fires: [[10], [12, "ServiceDown"], [3 * HOUR, "ServiceDown"]],
  },
  {
    says: "a service that Prometheus does not know at all",
    series: { [`up${MANAGEMENT}`]: null },
    fires: [[2, "ServiceDown"]],
  },
  {
    says: "answers of 5xx from serving, across a restart",
    series: { [answers(503)]: `0+0x10 0+1000x20 0+1000x${LONG}` },
    fires: [[10], [20, "ServerErrors"], [40, "ServerErrors"]],
  },
  {
    says: "answers of 5xx from management",
    series: { [requests(502)]: growing(10) },
    fires: [[15, "ServerErrors"]],
  },
  {
    says: "requests for ads that wait for a snapshot",
    series: {
      [waits("+Inf")]: growing(2_000),
      [`placard_serving_wait_seconds_count${SERVING}`]: growing(2_000),
    },
    fires: [[5], [20, "ServingSlow"]],
  },
  {
    says: "snapshots that nobody can confirm, across a restart",
    series: { [`placard_serving_snapshots_stale${SERVING}`]: `0+0x10 1+0x10 _ 1+0x${LONG}` },
    fires: [[10], [14, "SnapshotsStale"], [30, "SnapshotsStale"]],
  },

  {
    says: "a process that is busy with one thing for half a second and more",
    series: { [`nodejs_eventloop_lag_p99_seconds${labelled(SERVING, 'service="serving"')}`]: always(0.8) },
    fires: [[5], [12, "EventLoopBlocked"]],
  },
  {
    says: "queries that wait for connections, and a moment in which some do",
    series: { [`placard_postgres_pool_waiting${MANAGEMENT}`]: `0+0x10 7 0+0x10 7+0x${LONG}` },
    fires: [[12], [20], [30, "PostgresPoolExhausted"]],
  },
  {
    says: "jobs that nobody runs, across a restart",
    series: { [jobs("oldest_age_seconds", "mail")]: `0+60x40 _ 2520+60x${LONG}` },
    fires: [[15], [25, "JobsLate"], [50, "JobsLate"]],
  },
  {
    says: "jobs that were given up, across a restart",
    series: { [jobs("failed", "mail")]: `0+0x10 3+0x20 _ 3+0x${LONG}` },
    fires: [[10], [12, "JobsFailed"], [40, "JobsFailed"]],
  },
  {
    says: "a mail server that takes nothing",
    series: { [emails("sent")]: always(100), [emails("failed")]: growing(1) },
    fires: [[20], [40, "EmailsNotSent"]],
  },
  {
    says: "a mail server that takes some",
    series: { [emails("failed")]: growing(1) },
    fires: [[60]],
  },

  // Engines
  {
    says: "an engine that takes no connection",
    series: { [engine("redis")]: after(10, 1, 0) },
    fires: [[9], [12, "EngineUnreachable"]],
  },
  {
    says: "merges that do not keep up",
    series: { 'ClickHouseAsyncMetrics_MaxPartCountForPartition{job="clickhouse"}': always(400) },
    fires: [[10], [20, "TooManyParts"]],
  },

  {
    says: "a disk that is nearly full",
    series: { [`node_filesystem_avail_bytes${DISK}`]: `50-1x45 5+0x${LONG}` },
    fires: [[30], [60, "DiskFilling"]],
  },
  {
    says: "most connections of Postgres taken",
    series: { 'pg_stat_activity_count{job="postgres",instance="postgres:9187",state="idle"}': always(180) },
    fires: [[3], [10, "PostgresConnectionsUsed"]],
  },
  {
    says: "a Redis that is nearly full",
    series: { 'redis_memory_used_bytes{job="redis",instance="redis:9121"}': always(220) },
    fires: [[3], [10, "RedisMemoryUsed"]],
  },
  {
    says: "a Redis without a limit",
    series: { 'redis_memory_max_bytes{job="redis",instance="redis:9121"}': always(0) },
    fires: [[60]],
  },
  {
    says: "a broker that is away",
    series: { [UNDER_REPLICATED]: always(1) },
    fires: [[3], [10, "KafkaUnderReplicated"]],
  },
  {
    says: "a certificate that nobody renews",
    series: { [CERTIFICATE]: always(14 * 86_400) },
    fires: [[30], [90, "CertificateExpires"]],
  },

  // Money
  {
    says: "a webhook that waits, across a restart: its age is in the database",
    series: { [`placard_webhook_events_oldest_age_seconds${MANAGEMENT}`]: `0+60x40 _ 2520+60x${LONG}` },
    fires: [[15], [30, "WebhooksLate"], [50, "WebhooksLate"]],
  },
  {
    says: "a webhook that nothing applies any more",
    series: { [`placard_webhook_events_dead${MANAGEMENT}`]: after(10, 0, 1) },
    fires: [[9], [12, "WebhooksDead"]],
  },
  {
    says: "no comparison for hours, across a restart",
    series: { [`placard_reconciliation_finished_timestamp_seconds${MANAGEMENT}`]: `60+0x210 _ 60+0x${LONG}` },
    fires: [[2 * HOUR], [3 * HOUR + 20, "ReconciliationMissed"], [4 * HOUR, "ReconciliationMissed"]],
  },
  {
    says: "a database that does not say when the last comparison was",
    series: { [`placard_reconciliation_finished_timestamp_seconds${MANAGEMENT}`]: `NaN+0x${LONG}` },
    fires: [[5 * HOUR]],
  },
  {
    says: "comparisons that fail",
    series: { [`placard_reconciliation_failures_total${MANAGEMENT}`]: `0+0x10 2+0x${LONG}` },
    fires: [[10], [15, "ReconciliationFails"], [5 * HOUR]],
  },
];
