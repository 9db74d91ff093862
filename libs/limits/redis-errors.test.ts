import { expect, it } from "vitest";
import { errorOfJudging } from "./redis-errors.ts";

function reply(message: string): Error {
  const error = new Error(message);
  error.name = "ReplyError";
  return error;
}

it.each([
  [
    "OOM command not allowed when used memory > 'maxmemory'. script: 48ab, on @user_script:33.",
    "UNAVAILABLE",
  ],
  [
    "ERR Error running script (call to f_48ab): @user_script:33: -OOM command not allowed when used memory > 'maxmemory'.",
    "UNAVAILABLE",
  ],
  ["READONLY You can't write against a read only replica. script: 48ab, on @user_script:33.", "UNAVAILABLE"],
  ["BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.", "UNAVAILABLE"],
  [
    "ERR Error running script: Script killed by user with SCRIPT KILL. script: 48ab, on @user_script:9.",
    "UNAVAILABLE",
  ],
  ["ERR unknown command 'evalsha'", "UNAVAILABLE"],
  ["CROSSSLOT Keys in request don't hash to the same slot", "UNAVAILABLE"],
  [
    "WRONGTYPE Operation against a key holding the wrong kind of value script: 48ab, on @user_script:33.",
    "FAILED",
  ],
  ["ERR value is not an integer or out of range script: 48ab, on @user_script:33.", "FAILED"],
  ["REFUSED the batch was abandoned", "REFUSED"],
])("tells an outage of Redis from the fault of a batch: %s", (message, code) => {
  expect(errorOfJudging(reply(message))).toMatchObject({ name: "LimitsError", code, message });
});

it("takes what no server has answered for an outage", () => {
  expect(errorOfJudging(new Error("Connection is closed."))).toMatchObject({ code: "UNAVAILABLE" });
});
