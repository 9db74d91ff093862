// Sends loads, in a process of its own: asked and answering over IPC. With autocannon, but for those that have a rate.
import autocannon from "autocannon";
import { z } from "zod";
import { type LoadResult, load } from "./load.ts";
import { sendPaced } from "./paced.ts";
import { requestAt, requestsOf } from "./visitors.ts";

const TIMEOUT_S = 10;
/** How often autocannon checks whether to stop, in milliseconds. */
const SAMPLE_MS = 100;

const asked = z.object({ id: z.number(), ask: load });
type Asked = z.output<typeof load>;

process.on("message", async (message) => {
  const { id, ask } = asked.parse(message);
  try {
    process.send?.({ id, answer: await send(ask) });
  } catch (error) {
    process.send?.({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});
process.on("disconnect", () => process.exit());
process.on("SIGTERM", () => process.exit());

/** Requests handed out so far: no two connections begin with the same one, and no two loads have a visitor in common. */
let turns = 0;

interface Run {
  readonly result: autocannon.Result;
  /** Without the time that preparing the requests takes, which autocannon counts too. */
  readonly seconds: number;
  readonly cpuMicros: number;
}

async function send(ask: Asked): Promise<LoadResult> {
  const { rate } = ask;
  if (rate === undefined) return summarise(ask.expectStatus, await run(ask));
  const firstTurn = turns;
  turns += Math.ceil(rate * ask.duration);
  return await sendPaced(ask, rate, (nth) => requestAt(ask, firstTurn + nth));
}

async function run(ask: Asked): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  let cpu = process.cpuUsage();
  let started = performance.now();
  const instance = autocannon(
    {
      url: ask.origin,
      connections: ask.connections,
      duration: ask.duration,
      timeout: TIMEOUT_S,
      sampleInt: SAMPLE_MS,
      setupClient: (client) => {
        const requests = requestsOf(ask, turns);
        client.setRequests(requests);
        turns += requests.length;
      },
      ...(ask.expectBody === undefined ? {} : { expectBody: ask.expectBody }),
      ...(ask.amount === undefined ? {} : { amount: ask.amount }),
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  );
  instance.on("start", () => {
    cpu = process.cpuUsage();
    started = performance.now();
  });
  const result = await promise;
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { result, seconds, cpuMicros: user + system };
}

function summarise(expected: "2xx" | "3xx", { result, seconds, cpuMicros }: Run): LoadResult {
  const { latency } = result;
  return {
    answered: result[expected],
    sent: result.requests.sent,
    failed: failuresOf(result, expected),
    seconds,
    perSecond: result[expected] / seconds,
    p50: latency.p50,
    p90: latency.p90,
    p99: latency.p99,
    p999: latency.p99_9,
    clientBusy: cpuMicros / 1e6 / seconds,
  };
}

function failuresOf(result: autocannon.Result, expected: "2xx" | "3xx"): number {
  const answers = result["1xx"] + result["2xx"] + result["3xx"] + result["4xx"] + result["5xx"];
  return result.errors + result.mismatches + answers - result[expected];
}
