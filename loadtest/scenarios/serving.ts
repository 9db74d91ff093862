import { startBare } from "../bare.ts";
import type { Load } from "../load.ts";
import { type Comparison, compare } from "../rounds.ts";
import type { Bench, ScenarioResult } from "../scenario.ts";
import { median, type Spread, significant } from "../statistics.ts";
import { rowsOf } from "../table.ts";

const COUNTS = [1, 8];
const CONNECTIONS = 64;
/** Node writes these itself, the same on both sides. */
const OF_THE_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "date",
  "content-length",
  "transfer-encoding",
]);

/** Ads in rotation, answers ready in memory, against a bare route that returns the same bytes with the same headers. */
export async function serving(bench: Bench): Promise<ScenarioResult> {
  const comparisons: { count: number; comparison: Comparison }[] = [];
  for (const count of COUNTS) comparisons.push({ count, comparison: await compareCount(bench, count) });

  const failed = comparisons.reduce((sum, { comparison }) => sum + comparison.failed, 0);
  const typical = (of: (comparison: Comparison) => Spread) =>
    significant(median(comparisons.map(({ comparison }) => of(comparison).median)), 3);
  return {
    scenario: "serving",
    rows: comparisons.flatMap(({ count, comparison }) =>
      rowsOf(count === 1 ? "1 ad" : `${count} ads`, comparison),
    ),
    headline: {
      serving: { ratio: typical(({ ratio }) => ratio), cpuRatio: typical(({ cpuRatio }) => cpuRatio) },
    },
    details: comparisons,
    complaints: failed > 0 ? [`${failed} requests for ads failed.`] : [],
  };
}

async function compareCount({ options, client, placard }: Bench, count: number): Promise<Comparison> {
  const { duration, rounds, connections = CONNECTIONS, profileDir } = options;
  const path = `/v1/workspaces/${placard.workspaceId}/ads/serving?count=${count}`;
  const response = await fetch(`${placard.origin}${path}`);
  const headers = [...response.headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
  const bare = await startBare(
    {
      method: "GET",
      url: "/v1/workspaces/:workspaceId/ads/serving",
      headers: Object.fromEntries(headers),
      body: await response.text(),
    },
    profileDir,
  );
  const loadOf = (origin: string): Load => ({ origin, method: "GET", paths: [path], duration, connections });
  try {
    return await compare(client, rounds, {
      baseline: { server: bare, load: loadOf(bare.origin) },
      subject: { server: placard, load: loadOf(placard.origin) },
    });
  } finally {
    await bare.stop();
  }
}
