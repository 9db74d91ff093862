import type { Client } from "../clients/client.ts";
import type { Options, Target } from "../measure/options.ts";
import { significant } from "../measure/statistics.ts";
import type { ScenarioResult } from "../report/result.ts";
import { say } from "../report/show.ts";

const CONNECTIONS = 50;
const COUNTS = [1, 8];

/** Asks a deployment for ads at the given rate and measures its latency. Reads only; nothing is tracked. */
export async function loadTarget(options: Options, target: Target, client: Client): Promise<ScenarioResult> {
  const { url, workspaceId, rate } = target;
  const seconds = options.duration * options.rounds;
  say(`Asks ${url.origin} for ads only, ${rate} times per second for ${seconds} s.`);
  const path = `/v1/workspaces/${encodeURIComponent(workspaceId)}/ads/serving`;
  const first = await fetch(`${url.origin}${path}`);
  await first.text();
  if (!first.ok) throw new Error(`${url.origin}${path} is answered with ${first.status}.`);

  const load = await client.run({
    origin: url.origin,
    method: "GET",
    paths: COUNTS.map((count) => `${path}?count=${count}`),
    connections: options.connections ?? CONNECTIONS,
    duration: seconds,
    rate,
  });
  const ms = (value: number) => significant(value, 3);
  return {
    scenario: "target",
    rows: [
      {
        load: `ads of ${url.host}`,
        "asked req/s": rate,
        "req/s": Math.round(load.perSecond),
        "p50 ms": ms(load.p50),
        "p90 ms": ms(load.p90),
        "p99 ms": ms(load.p99),
        "p99.9 ms": ms(load.p999),
        failed: load.failed,
      },
    ],
    headline: { target: { perSecond: Math.round(load.perSecond), p99Ms: ms(load.p99), failed: load.failed } },
    charts: [
      {
        kind: "bars",
        title: `Latency at ${rate} requests per second`,
        unit: "ms",
        bars: [
          { label: "p50", value: load.p50 },
          { label: "p90", value: load.p90 },
          { label: "p99", value: load.p99 },
          { label: "p99.9", value: load.p999 },
        ],
      },
    ],
    details: load,
    complaints: load.failed > 0 ? [`${load.failed} requests of the target failed.`] : [],
  };
}
