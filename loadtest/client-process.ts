// Sends loads with autocannon, in a process of its own: asked and answering over IPC.
import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import { z } from "zod";
import { type LoadResult, load } from "./load.ts";
import { requestsOf } from "./visitors.ts";

/** A rate is sent in so many strands that start one after the other: autocannon sends a second's requests at once. */
const STRANDS = 20;
const TIMEOUT_S = 10;
/** autocannon looks once in so many milliseconds whether it is time to stop. */
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

/** Visitors handed out so far: no two loads have one in common. */
let visitors = 0;

interface Run {
  readonly result: autocannon.Result;
  /** Without the time that preparing the requests takes, which autocannon counts too. */
  readonly seconds: number;
  readonly cpuMicros: number;
}

async function send(ask: Asked): Promise<LoadResult> {
  return summarise(ask.rate === undefined ? [await run(ask)] : await runStrands(ask, ask.rate));
}

function runStrands(ask: Asked, rate: number): Promise<Run[]> {
  const connections = Math.max(1, Math.round(ask.connections / STRANDS));
  const strands = Array.from({ length: STRANDS }, async (_, strand) => {
    await wait((1000 / STRANDS) * strand);
    return run({ ...ask, connections }, { overallRate: Math.ceil(rate / STRANDS) });
  });
  return Promise.all(strands);
}

async function run(ask: Asked, extra: Partial<autocannon.Options> = {}): Promise<Run> {
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
        client.setRequests(requestsOf(ask, visitors));
        visitors += ask.visitorsPerConnection ?? 0;
      },
      ...(ask.expectBody === undefined ? {} : { expectBody: ask.expectBody }),
      ...(ask.amount === undefined ? {} : { amount: ask.amount }),
      ...extra,
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

/** Of several strands the latencies are those of the slowest. */
function summarise(runs: readonly Run[]): LoadResult {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const worst = (of: (run: Run) => number) => Math.max(...runs.map(of));
  return {
    answered: sum(({ result }) => result["2xx"]),
    sent: sum(({ result }) => result.requests.sent),
    failed: sum(({ result: { errors, non2xx, mismatches } }) => errors + non2xx + mismatches),
    seconds: worst(({ seconds }) => seconds),
    perSecond: sum(({ result, seconds }) => result["2xx"] / seconds),
    p50: worst(({ result }) => result.latency.p50),
    p99: worst(({ result }) => result.latency.p99),
    clientBusy: worst(({ cpuMicros, seconds }) => cpuMicros / 1e6 / seconds),
  };
}
