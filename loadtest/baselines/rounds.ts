import type { Client } from "../clients/client.ts";
import type { Load, LoadResult } from "../clients/load.ts";
import { median, pairedRatio, type Spread, spreadOf } from "../measure/statistics.ts";
import type { Server } from "../processes/server.ts";

/** A server and its load. */
export interface Side {
  readonly server: Server;
  readonly load: Load;
}

export interface Measured extends LoadResult {
  /** The CPU of the server's process with its threads, without its children. */
  readonly cpuMicrosPerRequest: number;
  /** Share of one core that the server's process took. */
  readonly serverBusy: number;
  /** At the end of the load. */
  readonly residentBytes: number;
  /** How late the server's event loop was during the load. */
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
}

export interface SideSummary {
  readonly perSecond: Spread;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly residentBytes: number;
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  readonly cpuMicrosPerRequest: Spread;
  readonly serverBusy: number;
  readonly clientBusy: number;
}

export interface Comparison {
  readonly baseline: SideSummary;
  readonly subject: SideSummary;
  /**
   * Subject's requests per second as a multiple of the baseline's, median and range over the rounds; null when the client
   * was so busy that it may have been what was measured.
   */
  readonly ratio: Spread | null;
  /** The same for requests per second of the server's CPU: independent of the client's pace and of neighbours. */
  readonly cpuRatio: Spread;
  /** All that was sent to the subject, warm-ups included. */
  readonly subjectLoads: readonly Measured[];
  readonly failed: number;
}

/** Sends one load and measures its cost for the server. */
export async function measure(client: Client, { server, load }: Side): Promise<Measured> {
  const before = await server.usage();
  const result = await client.race(load);
  const { residentBytes, delayP50Ms, delayP99Ms, ...after } = await server.usage();
  const cpuMicros = after.cpuMicros - before.cpuMicros;
  return {
    ...result,
    cpuMicrosPerRequest: cpuMicros / result.answered,
    serverBusy: cpuMicros / 1e6 / result.seconds,
    residentBytes,
    delayP50Ms,
    delayP99Ms,
  };
}

/** Code that has run so often is compiled as far as it will be. */
const WARM_AFTER = 20_000;
const WARM_UP_S = 0.5;
/** A machine this slow is measured as it is. */
const MOST_WARM_UPS = 4;

async function warmUp(client: Client, { server, load }: Side): Promise<Measured[]> {
  const done: Measured[] = [];
  let answered = 0;
  while (answered < WARM_AFTER && done.length < MOST_WARM_UPS) {
    const measured = await measure(client, { server, load: { ...load, duration: WARM_UP_S } });
    done.push(measured);
    answered += measured.answered;
  }
  return done;
}

/** Warms both sides up, then loads baseline and subject in turn, so that what drifts hits both. */
export async function compare(
  client: Client,
  rounds: number,
  sides: { readonly baseline: Side; readonly subject: Side },
): Promise<Comparison> {
  const [comparison] = await compareAll(client, rounds, { ...sides, baselines: [sides.baseline] });
  if (comparison === undefined) throw new Error("There is a comparison for each baseline.");
  return comparison;
}

/** As `compare`, with several baselines to the one subject; returns a comparison for each, in their order. */
export async function compareAll(
  client: Client,
  rounds: number,
  { baselines, subject }: { readonly baselines: readonly Side[]; readonly subject: Side },
): Promise<Comparison[]> {
  const sides = [...baselines, subject];
  const warmUps: Measured[][] = [];
  for (const side of sides) warmUps.push(await warmUp(client, side));
  const measured: Measured[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [nth, side] of sides.entries()) measured[nth]?.push(await measure(client, side));
  }
  const ofSubject = measured.at(-1) ?? [];
  const subjectLoads = [...(warmUps.at(-1) ?? []), ...ofSubject];
  return baselines.map((_, nth) => {
    const ofBaseline = measured[nth] ?? [];
    return {
      baseline: summarise(ofBaseline),
      subject: summarise(ofSubject),
      ratio: throughputRatio(ofSubject, ofBaseline),
      cpuRatio: pairedRatio(ofSubject.map(requestsPerCpuSecond), ofBaseline.map(requestsPerCpuSecond)),
      subjectLoads,
      failed: [...(warmUps[nth] ?? []), ...ofBaseline, ...subjectLoads].reduce(
        (sum, { failed }) => sum + failed,
        0,
      ),
    };
  });
}

/** A client above this share of its core sets the pace of a fast server. */
const BUSIEST_CLIENT = 0.85;

/** Null when the client was the limit on either side. */
export function throughputRatio(
  subject: readonly Pick<Measured, "perSecond" | "clientBusy">[],
  baseline: readonly Pick<Measured, "perSecond" | "clientBusy">[],
): Spread | null {
  const busy = [subject, baseline].map((side) => median(side.map(({ clientBusy }) => clientBusy)));
  if (Math.max(...busy) > BUSIEST_CLIENT) return null;
  return pairedRatio(subject.map(throughput), baseline.map(throughput));
}

/** The median ratio of a comparison; NaN when it was refused. */
export function ratioOf({ ratio }: Comparison): number {
  return ratio?.median ?? Number.NaN;
}

function throughput({ perSecond }: Pick<Measured, "perSecond">): number {
  return perSecond;
}

function requestsPerCpuSecond({ cpuMicrosPerRequest }: Measured): number {
  return 1 / cpuMicrosPerRequest;
}

function summarise(rounds: readonly Measured[]): SideSummary {
  const spread = (of: (measured: Measured) => number) => spreadOf(rounds.map(of));
  return {
    perSecond: spread(throughput),
    p50: spread(({ p50 }) => p50).median,
    p90: spread(({ p90 }) => p90).median,
    p99: spread(({ p99 }) => p99).median,
    p999: spread(({ p999 }) => p999).median,
    residentBytes: spread(({ residentBytes }) => residentBytes).median,
    delayP50Ms: spread(({ delayP50Ms }) => delayP50Ms).median,
    delayP99Ms: spread(({ delayP99Ms }) => delayP99Ms).median,
    cpuMicrosPerRequest: spread(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest),
    serverBusy: spread(({ serverBusy }) => serverBusy).median,
    clientBusy: spread(({ clientBusy }) => clientBusy).median,
  };
}
