import { type BareOn, bareOf } from "../baselines/bare.ts";
import { type Comparison, compareAll, ratioOf, type Side } from "../baselines/rounds.ts";
import type { DemoBench } from "../bench/bench.ts";
import { type Counts, countEvents } from "../bench/counting.ts";
import { countedDemo } from "../bench/demo.ts";
import { impressionsOn, startBareImpressions } from "../bench/impressions.ts";
import { significant } from "../measure/statistics.ts";
import { releasing } from "../processes/releases.ts";
import type { Server } from "../processes/server.ts";
import { chartsOf, sidesOf } from "../report/charts.ts";
import type { ScenarioResult } from "../report/result.ts";
import { rowsOf } from "../report/table.ts";

/** A quick run has no time for the first. */
const CONNECTIONS = [256, 1_000];
const QUICK_CONNECTIONS = [1_000];

interface Compared {
  readonly connections: number;
  readonly on: BareOn;
  readonly comparison: Comparison;
}

/** Impressions on the local event log, each durable before its answer, against bare POSTs with the same answer. */
export async function tracking(bench: DemoBench): Promise<ScenarioResult> {
  const { options } = bench;
  const usual = options.quick ? QUICK_CONNECTIONS : CONNECTIONS;
  const compared: Compared[] = [];
  const counted: Counts[] = [];
  for (const connections of options.connections === undefined ? usual : [options.connections]) {
    const { result, acknowledged } = await compareAt(bench, connections);
    compared.push(...result);
    counted.push(acknowledged);
  }
  const failed = compared.reduce((sum, { comparison }) => sum + comparison.failed, 0);
  const ratios = compared.flatMap(({ connections, on, comparison }) => {
    const name = `${on === "Fastify" ? "ratio" : "ofNode"}${connections}`;
    const ratio = [name, significant(ratioOf(comparison), 3)] as const;
    const cpuRatio = [`cpuRatio${connections}`, significant(comparison.cpuRatio.median, 3)] as const;
    return on === "Fastify" ? [ratio, cpuRatio] : [ratio];
  });
  const nameOf = (connections: number) => `${connections} connections`;
  return {
    scenario: "tracking",
    rows: compared.flatMap(({ connections, on, comparison }) => rowsOf(nameOf(connections), comparison, on)),
    headline: {
      trackingLocal: Object.fromEntries(ratios),
      counts: counted.at(-1)?.counts ?? {},
    },
    charts: chartsOf(
      compared.flatMap(({ connections, on, comparison }) => sidesOf(nameOf(connections), comparison, on)),
    ),
    details: { compared, counts: counted },
    complaints: [
      ...counted.flatMap(({ complaints }) => complaints),
      ...(failed > 0 ? [`${failed} impressions failed.`] : []),
    ],
  };
}

function compareAt(bench: DemoBench, connections: number) {
  const { options, client, placard, adIds } = bench;
  const sideOf = (server: Server): Side => ({
    server,
    load: impressionsOn(server, adIds, connections, options),
  });
  return releasing(async (later) => {
    const baselines: Side[] = [];
    for (const on of bareOf(options)) {
      const server = await startBareImpressions(options, on);
      later(() => server.stop());
      baselines.push(sideOf(server));
    }
    return countEvents(client, countedDemo(bench), async () => {
      const measured = await compareAll(client, options.rounds, { baselines, subject: sideOf(placard) });
      const result: Compared[] = bareOf(options).flatMap((on, nth) =>
        measured.slice(nth, nth + 1).map((comparison) => ({ connections, on, comparison })),
      );
      return { result, loads: measured[0]?.subjectLoads ?? [] };
    });
  });
}
