import type { Client } from "./client.ts";
import type { Load, LoadResult } from "./load.ts";
import type { Server } from "./server.ts";
import { pairedRatio, type Spread, spreadOf } from "./statistics.ts";

/** A server with what is sent to it. */
export interface Side {
  readonly server: Server;
  readonly load: Load;
}

export interface Measured extends LoadResult {
  /** Of the server's process with its threads, without its children. */
  readonly cpuMicrosPerRequest: number;
  /** Share of one core that the server's process took. */
  readonly serverBusy: number;
}

export interface SideSummary {
  readonly perSecond: Spread;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicrosPerRequest: Spread;
  readonly serverBusy: number;
  readonly clientBusy: number;
}

export interface Comparison {
  readonly baseline: SideSummary;
  readonly subject: SideSummary;
  /** Subject's requests a second as a multiple of the baseline's, median and range over the rounds. */
  readonly ratio: Spread;
  /** The same of requests for a second of the server's CPU: free of the client's pace and of neighbours. */
  readonly cpuRatio: Spread;
  /** All that was sent to the subject, warm-ups included. */
  readonly subjectLoads: readonly Measured[];
  readonly failed: number;
}

/** Sends one load and takes what it cost the server. */
export async function measure(client: Client, { server, load }: Side): Promise<Measured> {
  const before = await server.usage();
  const result = await client.run(load);
  const cpuMicros = (await server.usage()).cpuMicros - before.cpuMicros;
  return {
    ...result,
    cpuMicrosPerRequest: cpuMicros / result.answered,
    serverBusy: cpuMicros / 1e6 / result.seconds,
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
  const baselineWarmUps = await warmUp(client, sides.baseline);
  const subjectWarmUps = await warmUp(client, sides.subject);
  const baseline: Measured[] = [];
  const subject: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    baseline.push(await measure(client, sides.baseline));
    subject.push(await measure(client, sides.subject));
  }
  const throughput = ({ perSecond }: Measured) => perSecond;
  const thrift = ({ cpuMicrosPerRequest }: Measured) => 1 / cpuMicrosPerRequest;
  return {
    baseline: summarise(baseline),
    subject: summarise(subject),
    ratio: pairedRatio(subject.map(throughput), baseline.map(throughput)),
    cpuRatio: pairedRatio(subject.map(thrift), baseline.map(thrift)),
    subjectLoads: [...subjectWarmUps, ...subject],
    failed: [...baselineWarmUps, ...subjectWarmUps, ...baseline, ...subject].reduce(
      (sum, { failed }) => sum + failed,
      0,
    ),
  };
}

function summarise(rounds: readonly Measured[]): SideSummary {
  const spread = (of: (measured: Measured) => number) => spreadOf(rounds.map(of));
  return {
    perSecond: spread(({ perSecond }) => perSecond),
    p50: spread(({ p50 }) => p50).median,
    p99: spread(({ p99 }) => p99).median,
    cpuMicrosPerRequest: spread(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest),
    serverBusy: spread(({ serverBusy }) => serverBusy).median,
    clientBusy: spread(({ clientBusy }) => clientBusy).median,
  };
}
