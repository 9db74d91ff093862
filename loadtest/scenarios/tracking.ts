import { compare } from "../baselines/rounds.ts";
import type { DemoBench } from "../bench/bench.ts";
import { countEvents } from "../bench/counting.ts";
import { countedDemo } from "../bench/demo.ts";
import { impressionsOn, startBareImpressions } from "../bench/impressions.ts";
import { significant } from "../measure/statistics.ts";
import type { Server } from "../processes/server.ts";
import { chartsOf, sidesOf } from "../report/charts.ts";
import type { ScenarioResult } from "../report/result.ts";
import { rowsOf } from "../report/table.ts";

/** Impressions on the local event log, each durable before its answer, against a bare POST with the same answer. */
export async function tracking(bench: DemoBench): Promise<ScenarioResult> {
  const { options, client, placard, adIds } = bench;
  const bare = await startBareImpressions(options);
  const sideOf = (server: Server) => ({ server, load: impressionsOn(server, adIds, options) });
  const baseline = sideOf(bare);
  const subject = sideOf(placard);
  try {
    const { acknowledged, result: comparison } = await countEvents(client, countedDemo(bench), async () => {
      const measured = await compare(client, options.rounds, { baseline, subject });
      return { result: measured, loads: measured.subjectLoads };
    });
    return {
      scenario: "tracking",
      rows: rowsOf(`${subject.load.connections} connections`, comparison),
      headline: {
        trackingLocal: {
          ratio: significant(comparison.ratio.median, 3),
          cpuRatio: significant(comparison.cpuRatio.median, 3),
        },
        counts: acknowledged.counts,
      },
      charts: chartsOf(sidesOf("impressions", comparison)),
      details: { comparison, counts: acknowledged },
      complaints: [
        ...acknowledged.complaints,
        ...(comparison.failed > 0 ? [`${comparison.failed} impressions failed.`] : []),
      ],
    };
  } finally {
    await bare.stop();
  }
}
