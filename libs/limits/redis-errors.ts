import { LimitsError, type LimitsErrorCode } from "./errors.ts";
import { REFUSED } from "./redis-judging.ts";

/** What an error says whose cause is the server, or what is done to it. Older servers say it in the middle. */
const OF_SERVER =
  /\b(OOM|READONLY|NOREPLICAS|MISCONF|BUSY|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOPERM|killed by user)\b/;

/** Why judging failed. What nobody knows to be the batch's own fault is an outage. */
export function errorOfJudging(error: unknown): LimitsError {
  if (error instanceof LimitsError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new LimitsError(codeOf(error, message), message, { cause: error });
}

function codeOf(error: unknown, message: string): LimitsErrorCode {
  if (!(error instanceof Error) || error.name !== "ReplyError") return "UNAVAILABLE";
  if (message.startsWith(`${REFUSED} `)) return "REFUSED";
  // The script was begun: it failed at what is stored under the batch's keys.
  return message.includes("user_script") && !OF_SERVER.test(message) ? "FAILED" : "UNAVAILABLE";
}
