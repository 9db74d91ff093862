export {
  type EmbeddedClickHouse,
  type EmbeddedClickHouseOptions,
  startEmbeddedClickHouse,
} from "./embedded.ts";
export { StatsStoreError, type StatsStoreErrorCode } from "./errors.ts";
export type {
  AdCount,
  AdGroups,
  AudienceCount,
  BrokenPart,
  CountDifference,
  CountedAd,
  DailyCount,
  DayRange,
  EventKey,
  JudgementFaults,
  ReportCondition,
  ReportCount,
  ReportGroup,
  ReportRequest,
  RowRange,
  StatsStore,
  StoredRequest,
  TrafficCount,
  UnreadablePart,
  Visit,
} from "./port.ts";
export { findRunningClickHouse } from "./running.ts";
export { createStatsStore, type StatsStoreOptions } from "./stats-store.ts";
