import { EventLogError } from "../errors.ts";
import type { LateJudge, RepeatableLog } from "../port.ts";
import { messageOf } from "./folder.ts";

/**
 * What the unjudged queue is replayed to: judges a batch, appends what is left of it, and confirms it. Each step may be repeated
 * after a crash: the judgements come out the same, and the append is marked as a repetition. `onLog` is as that of the drainer.
 */
export function judgeThenAppend(
  log: Pick<RepeatableLog, "append">,
  judge: LateJudge,
  onLog: (state: "back" | "away", error?: unknown) => void,
): Pick<RepeatableLog, "append"> {
  return {
    async append({ rows }, retryToken) {
      const { batch, confirm } = await judge(rows).catch(throwUnjudged);
      if (batch.count > 0) {
        try {
          await log.append(batch, retryToken);
        } catch (error) {
          onLog("away", error);
          throw error;
        }
        onLog("back");
      }
      confirm();
    },
  };
}

/** An outage, a refusal, or a failure at this batch alone: also an error that nobody expects must not hold up the others. */
function throwUnjudged(cause: unknown): never {
  if (cause instanceof EventLogError && (cause.code === "REFUSED" || cause.code === "UNAVAILABLE"))
    throw cause;
  throw new EventLogError("FAILED", messageOf(cause), { cause });
}
