/** What the broker answered, by Kafka's name of the error; null when there was no answer at all. */
export function answerOf(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ("type" in each && typeof each.type === "string") return each.type;
    if (each.name === "KafkaJSOffsetOutOfRange") return "OFFSET_OUT_OF_RANGE";
  }
  return null;
}

/** Answers after which a message is not in the log, and will not be however often it is sent. */
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
 * What a failed send means for its message. A leader that steps down while it waits for its replicas answers with an
 * error although the message may be on them, so an answer is only `refused` where Kafka gives it before it appends.
 */
export function outcomeOf(error: unknown): "stored" | "refused" | "final" | "unclear" {
  const answer = answerOf(error);
  if (answer === "DUPLICATE_SEQUENCE_NUMBER") return "stored";
  if (answer === "NOT_ENOUGH_REPLICAS") return "refused";
  return answer !== null && FINAL.has(answer) ? "final" : "unclear";
}

/** Whether it is the message itself that Kafka does not take. */
export function isOfTheMessage(error: unknown): boolean {
  return OF_THE_MESSAGE.has(answerOf(error) ?? "");
}

const OF_THE_MESSAGE = new Set(["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE", "INVALID_RECORD"]);

/** Whether the coordinator has refused a member that is not, or no longer, of the group's generation. */
export function isOutOfGroup(error: unknown): boolean {
  return OUT_OF_GROUP.has(answerOf(error) ?? "");
}

const OUT_OF_GROUP = new Set([
  "ILLEGAL_GENERATION",
  "UNKNOWN_MEMBER_ID",
  "REBALANCE_IN_PROGRESS",
  "FENCED_INSTANCE_ID",
]);
