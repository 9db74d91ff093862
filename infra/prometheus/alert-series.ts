// The series that the alerts read, for alert-cases.ts.

/** The history of each series, one sample a minute, in promtool's notation: `0+10x60` counts 60 steps of 10, `_` is no sample. */
export type Histories = Readonly<Record<string, string>>;

export interface AlertCase {
  readonly says: string;
  /** Take the place of the healthy ones of the same name; null leaves the series out. */
  readonly series: Readonly<Record<string, string | null>>;
  /** The alerts that fire at a minute. */
  readonly fires: readonly (readonly [minute: number, ...alerts: string[]])[];
}

/** Longer than any case, in minutes. */
export const LONG = 2_000;
export const HOUR = 60;
export const always = (value: number) => `${value}+0x${LONG}`;
export const growing = (perMinute: number) => `0+${perMinute}x${LONG}`;
/** No fault for `minutes`, then for ever. */
export const after = (minutes: number, healthy: number, faulty: number) =>
  `${healthy}+0x${minutes - 1} ${faulty}+0x${LONG}`;
/** The age of an event that nobody counts. */
export const AGEING = growing(60);

export const SERVING = '{job="serving",instance="serving-0:8080"}';
export const OTHER_SERVING = '{job="serving",instance="serving-1:8080"}';
export const INGESTION = '{job="ingestion",instance="ingestion-0:8080"}';
export const MANAGEMENT = '{job="management",instance="management-0:8080"}';
export const labelled = (labels: string, more: string) => labels.replace("}", `,${more}}`);
export const waiting = (partition: number, where = SERVING) =>
  `placard_event_log_waiting_events${labelled(where, `partition="${partition}"`)}`;
export const oldest = (partition: number, where = SERVING) =>
  `placard_event_log_oldest_age_seconds${labelled(where, `partition="${partition}"`)}`;
export const answers = (status: number) =>
  `placard_serving_answers_total${labelled(SERVING, `route="/v1/workspaces/:workspaceId/ads/serving",status="${status}"`)}`;
export const requests = (status: number) =>
  `placard_http_request_duration_seconds_count${labelled(MANAGEMENT, `method="GET",route="/v1/ads",status="${status}"`)}`;
export const refused = (reason: string) =>
  `placard_tracking_refused_total${labelled(SERVING, `kind="impression",reason="${reason}"`)}`;
export const waits = (le: string) => `placard_serving_wait_seconds_bucket${labelled(SERVING, `le="${le}"`)}`;
export const batches = (le: string) =>
  `placard_tracking_batch_seconds_bucket${labelled(SERVING, `le="${le}"`)}`;
export const staleFile = (setting: string) =>
  `placard_operator_file_stale${labelled(SERVING, `setting="${setting}"`)}`;
export const engine = (name: string) => `probe_success{job="engines",engine="${name}"}`;
export const jobs = (name: string, task: string) =>
  `placard_jobs_${name}${labelled(MANAGEMENT, `task="${task}"`)}`;
export const emails = (result: string) =>
  `placard_email_attempts_total${labelled(MANAGEMENT, `result="${result}"`)}`;
export const DISK = '{job="node",instance="machine:9100",mountpoint="/",fstype="ext4"}';
export const UNDER_REPLICATED =
  'kafka_topic_partition_under_replicated_partition{job="kafka",topic="placard-events",partition="0"}';
export const CERTIFICATE =
  'probe_ssl_earliest_cert_expiry{job="certificates",instance="https://ads.example.com"}';
export const RETENTION = `placard_event_log_retention_seconds${SERVING}`;
const WEEK_SECONDS = 604_800;

/** An installation in which everything works. */
export const HEALTHY: Histories = {
  [`up${SERVING}`]: always(1),
  [`up${OTHER_SERVING}`]: always(1),
  [`up${INGESTION}`]: always(1),
  [`up${MANAGEMENT}`]: always(1),
  [answers(200)]: growing(60_000),
  [answers(503)]: always(0),
  [requests(200)]: growing(600),
  [requests(502)]: always(0),
  [waits("0.1")]: growing(100),
  [waits("+Inf")]: growing(100),
  [`placard_serving_wait_seconds_count${SERVING}`]: growing(100),
  [`placard_serving_snapshots_stale${SERVING}`]: always(0),
  [refused("limited")]: growing(10),
  [refused("failed")]: always(0),
  [`placard_tracking_log_writable${SERVING}`]: always(1),
  [batches("0.1")]: growing(600),
  [batches("1")]: growing(600),
  [batches("2.5")]: growing(600),
  [batches("+Inf")]: growing(600),
  [`placard_spill_log_away${SERVING}`]: always(0),
  [`placard_spill_bytes${SERVING}`]: always(0),
  [`placard_spill_max_bytes${SERVING}`]: always(1_073_741_824),
  [`placard_spill_refused_batches_total${SERVING}`]: always(0),
  [`placard_spill_oldest_age_seconds${SERVING}`]: always(0),
  [staleFile("BLOCKED_NETWORKS_FILE")]: always(0),
  [staleFile("GEOIP_FILE")]: always(0),
  [waiting(0)]: always(500),
  [waiting(1)]: always(500),
  [oldest(0)]: always(1),
  [oldest(1)]: always(1),
  [RETENTION]: always(WEEK_SECONDS),
  [`placard_ingestion_failing_seconds${INGESTION}`]: always(0),
  [`placard_ingestion_refused_lines_total${INGESTION}`]: always(0),
  [engine("redis")]: always(1),
  [engine("kafka")]: always(1),
  'ClickHouseAsyncMetrics_MaxPartCountForPartition{job="clickhouse"}': always(20),
  [`nodejs_eventloop_lag_p99_seconds${labelled(SERVING, 'service="serving"')}`]: always(0.012),
  [`placard_postgres_pool_waiting${MANAGEMENT}`]: always(0),
  [jobs("oldest_age_seconds", "mail")]: always(0),
  [jobs("failed", "mail")]: always(0),
  [emails("sent")]: growing(5),
  [emails("failed")]: always(0),
  [`node_filesystem_avail_bytes${DISK}`]: always(50),
  [`node_filesystem_size_bytes${DISK}`]: always(100),
  'pg_stat_activity_count{job="postgres",instance="postgres:9187",state="idle"}': always(40),
  'pg_stat_activity_count{job="postgres",instance="postgres:9187",state="active"}': always(2),
  'pg_settings_max_connections{job="postgres",instance="postgres:9187"}': always(200),
  'redis_memory_used_bytes{job="redis",instance="redis:9121"}': always(100),
  'redis_memory_max_bytes{job="redis",instance="redis:9121"}': always(256),
  [UNDER_REPLICATED]: always(0),
  [CERTIFICATE]: always(90 * 86_400),
  [`placard_webhook_events_oldest_age_seconds${MANAGEMENT}`]: always(0),
  [`placard_webhook_events_dead${MANAGEMENT}`]: always(0),
  // promtool's clock begins at 0, so a time is the minute in seconds: the comparison of each hour.
  [`placard_reconciliation_finished_timestamp_seconds${MANAGEMENT}`]: growing(60),
  [`placard_reconciliation_failures_total${MANAGEMENT}`]: always(0),
};
