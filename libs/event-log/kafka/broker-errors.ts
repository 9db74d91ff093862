/** Kafka's name of the broker's error; null when there was no response. */
export function errorTypeOf(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ("type" in each && typeof each.type === "string") return each.type;
    if (each.name === "KafkaJSOffsetOutOfRange") return "OFFSET_OUT_OF_RANGE";
  }
  return null;
}

/** Errors that no retry overcomes; the message is not in the log. */
const FINAL = new Set([
  "MESSAGE_TOO_LARGE",
  "RECORD_LIST_TOO_LARGE",
  "CORRUPT_MESSAGE",
  "INVALID_TOPIC_EXCEPTION",
  "INVALID_TIMESTAMP",
  "INVALID_RECORD",
  "POLICY_VIOLATION",
  "TOPIC_AUTHORIZATION_FAILED",
  "CLUSTER_AUTHORIZATION_FAILED",
  "OUT_OF_ORDER_SEQUENCE_NUMBER",
  "INVALID_PRODUCER_EPOCH",
  "UNKNOWN_PRODUCER_ID",
]);

/**
 * What a failed send means for its message. A leader that steps down while it waits for its replicas responds with an error
 * although they may have the message. So only errors that Kafka sends before it appends mean `refused`.
 */
export function outcomeOf(error: unknown): "stored" | "refused" | "final" | "unclear" {
  const answer = errorTypeOf(error);
  if (answer === "DUPLICATE_SEQUENCE_NUMBER") return "stored";
  if (answer === "NOT_ENOUGH_REPLICAS") return "refused";
  return answer !== null && FINAL.has(answer) ? "final" : "unclear";
}

/** Whether Kafka refuses the message itself. */
export function isMessageError(error: unknown): boolean {
  return MESSAGE_ERRORS.has(errorTypeOf(error) ?? "");
}

const MESSAGE_ERRORS = new Set(["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE", "INVALID_RECORD"]);

/** Whether the coordinator refused a member of another generation than the group's. */
export function isFenced(error: unknown): boolean {
  return FENCED.has(errorTypeOf(error) ?? "");
}

const FENCED = new Set([
  "ILLEGAL_GENERATION",
  "UNKNOWN_MEMBER_ID",
  "REBALANCE_IN_PROGRESS",
  "FENCED_INSTANCE_ID",
]);
