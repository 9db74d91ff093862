import { startBare } from "../bare.ts";
import { ACCEPTED, BROWSER } from "../browser.ts";
import { chartsOf, sidesOf } from "../charts.ts";
import { countEvents } from "../counting.ts";
import { countedDemo } from "../demo.ts";
import { compare } from "../rounds.ts";
import type { DemoBench, ScenarioResult } from "../scenario.ts";
import { significant } from "../statistics.ts";
import { rowsOf } from "../table.ts";

const CONNECTIONS = 1_000;
/**
 * A visitor that comes again within ten seconds counts once: with so many for each second of a connection's load,
 * most events are new.
 */
const VISITORS_PER_SECOND = 20;

/** Impressions on the local event log, each durable before its answer, against a bare POST with the same answer. */
export async function tracking(bench: DemoBench): Promise<ScenarioResult> {
  const { options, client, placard, adIds } = bench;
  const { duration, rounds, connections = CONNECTIONS, profileDir } = options;
  const bare = await startBare(
    {
      method: "POST",
      url: "/v1/ads/:adId/impressions",
      headers: { "content-type": "application/json; charset=utf-8" },
      body: ACCEPTED,
    },
    profileDir,
  );
  const load = {
    method: "POST",
    paths: adIds.map((adId) => `/v1/ads/${adId}/impressions`),
    headers: { "user-agent": BROWSER },
    visitorsPerConnection: Math.ceil(duration * VISITORS_PER_SECOND),
    expectBody: ACCEPTED,
    duration,
    connections,
  } as const;
  try {
    const { acknowledged, result: comparison } = await countEvents(client, countedDemo(bench), async () => {
      const measured = await compare(client, rounds, {
        baseline: { server: bare, load: { ...load, origin: bare.origin } },
        subject: { server: placard, load: { ...load, origin: placard.origin } },
      });
      return { result: measured, loads: measured.subjectLoads };
    });
    return {
      scenario: "tracking",
      rows: rowsOf(`${connections} connections`, comparison),
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
