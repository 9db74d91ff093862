export {
  type EmbeddedClickHouse,
  type EmbeddedClickHouseOptions,
  startEmbeddedClickHouse,
} from "./embedded.ts";
export { StatsStoreError, type StatsStoreErrorCode } from "./errors.ts";
export type {
  BrokenPart,
  CountDifference,
  CountedAd,
  JudgementFaults,
  UnreadablePart,
} from "./maintenance-port.ts";
export type {
  AdCount,
  AdGroups,
  AudienceCount,
  DailyCount,
  EventKey,
  ReportCondition,
  ReportCount,
  ReportedGroups,
  ReportGroup,
  ReportRequest,
  ReportSpan,
  ReportTable,
  RowRange,
  StatsStore,
  StoredRequest,
  TrafficCount,
  Visit,
} from "./port.ts";
export { tableOf } from "./reports.ts";
export { findRunningClickHouse } from "./running.ts";
export { createStatsStore, type StatsStoreOptions } from "./stats-store.ts";
