import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { onCoreOf } from "../processes/cores.ts";
import { LETTERS_OF_AN_ID } from "../seeds/seed-ids.ts";
import { type Load, type LoadResult, load } from "./load.ts";

const SCRIPT = fileURLToPath(new URL("wrk.lua", import.meta.url));
const TIMEOUT_S = 10;
/** A signal ends it after the load's duration, which wrk takes in whole seconds only. */
const SPARE_S = 30;
const SIGNALS_EVERY_MS = 200;

const printed = z.object({
  answers: z.number(),
  sent: z.number(),
  statusErrors: z.number(),
  socketErrors: z.number(),
  micros: z.number(),
  cpuSeconds: z.number(),
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  p999: z.number(),
});

/** For people on whose machine it is missing. */
export const WITHOUT_WRK =
  "wrk is not installed (Debian and Ubuntu: apt-get install wrk), so autocannon sends every load. It takes more CPU than a fast server: ratios of requests per second are refused, and only those of CPU are reported.";

/** Whether wrk can be started. */
export function hasWrk(): boolean {
  return spawnSync("wrk", ["-v"]).error === undefined;
}

/** Whether wrk can send the load: as fast as answers come, for a duration, one method. */
export function isForWrk({ mix, amount, rate }: Load): boolean {
  return mix === undefined && amount === undefined && rate === undefined;
}

/** Requests handed out so far: no two loads have a visitor in common. */
let turns = 0;

/**
 * Sends a load with one thread of wrk on the client's core. It takes far less CPU for a request than autocannon, and does not
 * read bodies: an unexpected one shows in what the server has counted. Rejects when wrk fails.
 */
export async function runWrk(given: Load): Promise<LoadResult> {
  const ask = load.parse(given);
  const [command, args] = onCoreOf("client", "wrk", argumentsOf(ask, turns));
  const wrk = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ending = new AbortController();
  wrk.stderr.once("data", () => void interrupt(wrk, ask.duration * 1000, ending.signal));
  const all = Promise.all([text(wrk.stdout), text(wrk.stderr), once(wrk, "close")]);
  const [output, errors] = await all.finally(() => ending.abort());
  const line = /^result (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk has failed: ${errors}${output}`);
  const result = printed.parse(JSON.parse(line));
  turns += result.sent;
  return summarise(result);
}

/** Ends wrk after `ms` milliseconds. It ignores signals until its threads run, so there may have to be several. */
async function interrupt(wrk: ChildProcess, ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    wrk.kill("SIGINT");
    await wait(SIGNALS_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

function argumentsOf(ask: z.output<typeof load>, firstTurn: number): string[] {
  const { origin, method, paths, numbered, headers, visitorsPerConnection, duration, connections } = ask;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return [
    ...["-t", "1", "-c", String(connections), "-d", `${Math.ceil(duration) + SPARE_S}s`],
    ...["--timeout", `${TIMEOUT_S}s`, "-s", SCRIPT, origin, "--"],
    visitorsPerConnection === undefined ? "0" : "1",
    String(firstTurn),
    String(numbered?.first ?? 0),
    String(numbered?.count ?? 0),
    String(LETTERS_OF_AN_ID),
    method,
    lines.join(""),
    ...paths,
  ];
}

function summarise(result: z.output<typeof printed>): LoadResult {
  const { answers, sent, statusErrors, socketErrors, micros, cpuSeconds } = result;
  const seconds = micros / 1e6;
  const answered = answers - statusErrors;
  return {
    answered,
    sent,
    failed: statusErrors + socketErrors,
    seconds,
    perSecond: answered / seconds,
    p50: result.p50 / 1e3,
    p90: result.p90 / 1e3,
    p99: result.p99 / 1e3,
    p999: result.p999 / 1e3,
    clientBusy: cpuSeconds / seconds,
  };
}
