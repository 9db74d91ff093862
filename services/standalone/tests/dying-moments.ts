/**
 * Where the product can be ended exactly:
 *
 * - `judged`: a batch is judged and not durable yet
 * - `appended`: it is durable and not answered yet
 * - `read`: ingestion has read a range and not recorded its intent yet
 * - `inserted`: the stats store has a range and the log does not know
 */
export type DyingMoment = "judged" | "appended" | "read" | "inserted";
