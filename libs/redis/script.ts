import { createHash } from "node:crypto";
import type { RedisClient } from "./connection.ts";

/** A Lua script, which Redis keeps by its hash: a call sends the hash alone. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function defineScript(text: string): Script {
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}

/** Runs a script in one call, or in two where Redis does not have it yet. All keys have to be in one slot of a cluster. */
export async function runScript(
  redis: RedisClient,
  { text, sha }: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...values);
  } catch (error) {
    // Such a call did nothing.
    if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
    return await redis.eval(text, keys.length, ...keys, ...values);
  }
}
