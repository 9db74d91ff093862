import { startBareLike } from "../baselines/bare-like.ts";
import { type Comparison, compare, type Measured, measure } from "../baselines/rounds.ts";
import { BROWSER } from "../clients/browser.ts";
import type { Load } from "../clients/load.ts";
import { type ServiceEngines, startService } from "../engines/services.ts";
import { SEEDS } from "../engines/test-engines.ts";
import { releasing } from "../processes/releases.ts";
import type { Server } from "../processes/server.ts";
import { seedId } from "../seeds/seed-ids.ts";
import type { Bench } from "./bench.ts";

const CONNECTIONS = 64;
const TRACKING_CONNECTIONS = 200;
const ROUNDS_AT_MOST = 3;
const REQUESTS_PER_CONNECTION = 2_000;
/** Up to this count each workspace is visited once; more are visited for a fixed time. */
const VISITED_ONE_BY_ONE = 1_000;
const VISITED_FOR_S = 20;
const VISITORS_PER_SECOND = 50;
const A_MILLION = 1_000_000;
/** Answers a question nobody has asked before: an id that is nobody's is excluded. */
const COLD = { paths: ["&excludeIds=ad_#"], numbered: { first: 0, count: A_MILLION } };

/** What one step of growth costs. */
export interface Step {
  readonly size: number;
  readonly microsPerRequest: number;
  readonly residentBytes: number;
  readonly perSecond: number;
  readonly failed: number;
}

/** Each step begins with an empty process, so that its memory is its own. */
export async function withServing(
  { folder, options }: Bench,
  engines: ServiceEngines,
  body: (server: Server) => Promise<void>,
): Promise<void> {
  const { profileDir } = options;
  const server = await startService("serving", engines, { folder, topic: "growth", profileDir });
  await body(server).finally(() => server.stop());
}

/** Ads of one workspace: answers that are ready, beside a bare route, and answers that are not. */
export async function growAds({ client, options }: Bench, server: Server, workspace: number, size: number) {
  const { duration, rounds, connections = CONNECTIONS, profileDir } = options;
  const path = `/v1/workspaces/${seedId("ws", workspace)}/ads/serving?count=8`;
  const loadOf = ({ origin }: Server): Load => ({
    origin,
    method: "GET",
    paths: [path],
    duration,
    connections,
  });
  return releasing(async (later) => {
    const bare = await startBareLike(server, path, profileDir);
    later(() => bare.stop());
    const comparison = await compare(client, Math.min(ROUNDS_AT_MOST, rounds), {
      baseline: { server: bare, load: loadOf(bare) },
      subject: { server, load: loadOf(server) },
    });
    const asked = { ...COLD, paths: COLD.paths.map((filter) => path + filter) };
    const load = { ...loadOf(server), ...asked, requestsPerConnection: REQUESTS_PER_CONNECTION };
    const cold = await measure(client, { server, load });
    return {
      hot: { ...sideStep(size, comparison, "subject"), failed: comparison.failed },
      bare: sideStep(size, comparison, "baseline"),
      cold: stepOf(size, cold),
    };
  });
}

/** Asks `count` workspaces in turn. */
export async function growWorkspaces(
  { client, options }: Bench,
  server: Server,
  count: number,
): Promise<Step> {
  const { duration, connections = CONNECTIONS } = options;
  const load: Load = {
    origin: server.origin,
    method: "GET",
    duration,
    paths: ["/v1/workspaces/ws_#/ads/serving?count=8"],
    numbered: { first: SEEDS.many.first, count },
    requestsPerConnection: Math.min(REQUESTS_PER_CONNECTION, count),
    connections,
  };
  // Visited first, so that the measurement sees snapshots that are cached and ones that were evicted. With the largest counts
  // not all are visited, but more than the cache holds.
  const visited = await client.run({
    ...load,
    requestsPerConnection: Math.ceil(count / connections),
    ...(count <= VISITED_ONE_BY_ONE
      ? { amount: Math.max(count, connections) }
      : { duration: Math.max(duration, VISITED_FOR_S) }),
  });
  const measured = await measure(client, { server, load });
  return { ...stepOf(count, measured), failed: visited.failed + measured.failed };
}

/** Impressions of `count` ads in turn. */
export async function growTracking({ client, options }: Bench, server: Server, count: number): Promise<Step> {
  const { duration, connections = TRACKING_CONNECTIONS } = options;
  const load: Load = {
    origin: server.origin,
    method: "POST",
    paths: ["/v1/ads/ad_#/impressions"],
    numbered: { first: SEEDS.many.firstAd, count },
    headers: { "user-agent": BROWSER },
    visitorsPerConnection: Math.ceil(duration * VISITORS_PER_SECOND),
    connections,
    duration,
  };
  const warmUp = await measure(client, { server, load });
  const measured = await measure(client, { server, load });
  return { ...stepOf(count, measured), failed: warmUp.failed + measured.failed };
}

function stepOf(size: number, measured: Measured): Step {
  const { cpuMicrosPerRequest: microsPerRequest, residentBytes, perSecond, failed } = measured;
  return { size, microsPerRequest, residentBytes, perSecond, failed };
}

function sideStep(size: number, comparison: Comparison, name: "subject" | "baseline"): Step {
  const { cpuMicrosPerRequest, residentBytes, perSecond } = comparison[name];
  return {
    size,
    microsPerRequest: cpuMicrosPerRequest.median,
    residentBytes,
    perSecond: perSecond.median,
    failed: 0,
  };
}
