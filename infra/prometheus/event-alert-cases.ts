// Cases of alert-cases.ts about events on their way.
import {
  AGEING,
  type AlertCase,
  after,
  always,
  batches,
  growing,
  HOUR,
  INGESTION,
  LONG,
  oldest,
  RETENTION,
  refused,
  SERVING,
  staleFile,
  waiting,
} from "./alert-series.ts";

const IS_GONE = { [`up${INGESTION}`]: null, [`placard_ingestion_failing_seconds${INGESTION}`]: null };

export const EVENT_CASES: readonly AlertCase[] = [
  // Tracking
  {
    says: "events that are answered with 503",
    series: { [refused("failed")]: `0+0x10 0+60x${LONG}` },
    fires: [[10], [15, "EventsRefused"]],
  },
  {
    says: "a log that takes nothing",
    series: { [`placard_tracking_log_writable${SERVING}`]: after(10, 1, 0) },
    fires: [[9], [12, "EventLogNotWritable"]],
  },
  {
    says: "batches that take over a second",
    series: { [batches("0.1")]: growing(300), [batches("1")]: growing(500) },
    fires: [[5], [20, "TrackingSlow"]],
  },
  {
    says: "a Kafka that one process does not reach, across a restart of that process",
    series: { [`placard_spill_log_away${SERVING}`]: `0+0x10 1+0x20 _ 1+0x${LONG}` },
    fires: [[10], [14, "EventLogAway"], [40, "EventLogAway"]],
  },
  {
    says: "a spill that is over half full, across a restart",
    series: { [`placard_spill_bytes${SERVING}`]: `0+0x10 600000000+0x10 _ 600000000+0x${LONG}` },
    fires: [[10], [12, "SpillFilling"], [25, "SpillFilling"]],
  },
  {
    says: "a spill that refuses",
    series: { [`placard_spill_refused_batches_total${SERVING}`]: `0+0x10 1+1x${LONG}` },
    fires: [[10], [14, "SpillRefuses"]],
  },
  {
    says: "a spill that does not empty though all is there, across a restart: ages are in its files",
    series: { [`placard_spill_oldest_age_seconds${SERVING}`]: `0+60x40 _ 2520+60x${LONG}` },
    fires: [[15], [30, "SpillStuck"], [50, "SpillStuck"]],
  },
  {
    says: "a spill that waits because Kafka is away",
    series: {
      [`placard_spill_oldest_age_seconds${SERVING}`]: growing(60),
      [`placard_spill_log_away${SERVING}`]: always(1),
    },
    fires: [[60, "EventLogAway"]],
  },
  {
    says: "a file of the operator that cannot be used",
    series: { [staleFile("GEOIP_FILE")]: after(10, 0, 1) },
    fires: [[12], [20, "OperatorFileStale"]],
  },

  // Ingestion
  {
    says: "a million events over all partitions",
    series: { [waiting(0)]: always(700_000), [waiting(1)]: always(700_000) },
    fires: [[10], [20, "IngestionLags"]],
  },
  {
    says: "events that have waited for 30 hours, whatever restarts in between",
    series: {
      // What the processes know of themselves begins again at each restart; what is in Kafka does not.
      [oldest(0)]: `0+60x1199 _ _ 72120+60x${LONG}`,
      [`up${INGESTION}`]: `1+0x1199 0 1+0x${LONG}`,
      [`up${SERVING}`]: `1+0x1199 0 0 1+0x${LONG}`,
      [`placard_ingestion_failing_seconds${INGESTION}`]: `0+60x1199 _ 0+60x${LONG}`,
    },
    fires: [
      [4, "IngestionBlocked"],
      [20 * HOUR - 5, "IngestionStopped", "IngestionBlocked"],
      [20 * HOUR + 10, "IngestionStopped", "IngestionBlocked"],
      [30 * HOUR, "IngestionStopped", "IngestionBlocked", "EventsNearDeletion"],
    ],
  },
  {
    says: "a worker that begins again every four minutes",
    series: {
      [oldest(0)]: AGEING,
      [`placard_ingestion_failing_seconds${INGESTION}`]: `${"0 20 40 _ ".repeat(LONG / 4)}`,
    },
    fires: [
      [10, "IngestionStopped"],
      [25 * HOUR, "IngestionStopped", "EventsNearDeletion"],
    ],
  },
  {
    says: "one of two workers that is stuck while the other counts",
    series: { [oldest(1)]: AGEING, [waiting(1)]: `0+500x${LONG}` },
    fires: [[4], [10, "IngestionStopped"], [30 * HOUR, "IngestionStopped", "EventsNearDeletion"]],
  },
  {
    says: "ingestion that is gone",
    series: { ...IS_GONE, [oldest(0)]: AGEING, [oldest(1)]: AGEING },
    fires: [
      [10, "ServiceDown", "IngestionStopped"],
      [30 * HOUR, "ServiceDown", "IngestionStopped", "EventsNearDeletion"],
    ],
  },
  {
    says: "a topic that keeps its events for six hours",
    series: { [RETENTION]: always(6 * 3_600), [oldest(0)]: AGEING },
    fires: [
      [2 * HOUR, "IngestionStopped"],
      [3 * HOUR + 5, "IngestionStopped", "EventsNearDeletion"],
    ],
  },
  {
    says: "a log that deletes nothing",
    series: { [RETENTION]: null, [oldest(0)]: AGEING },
    fires: [[30 * HOUR, "IngestionStopped"]],
  },
  {
    says: "a partition that fails again and again while its events are young",
    series: { [`placard_ingestion_failing_seconds${INGESTION}`]: `0+0x10 0+20x${LONG}` },
    fires: [[12], [20, "IngestionBlocked"]],
  },
  {
    says: "a Kafka that tells nobody what waits",
    series: {
      [waiting(0)]: null,
      [waiting(1)]: null,
      [oldest(0)]: null,
      [oldest(1)]: null,
      [RETENTION]: null,
    },
    fires: [[3], [10, "LagUnknown"]],
  },
  {
    says: "lines that ClickHouse refuses",
    series: { [`placard_ingestion_refused_lines_total${INGESTION}`]: `0+0x10 3+0x${LONG}` },
    fires: [[10], [15, "DeadLetters"], [3 * HOUR]],
  },
];
