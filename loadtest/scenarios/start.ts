import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { significant } from "../measure/statistics.ts";
import { type Placard, type PlacardOptions, startPlacard } from "../processes/placard.ts";
import { until } from "../processes/until.ts";
import type { ScenarioResult } from "../report/result.ts";

export interface TimedStart {
  readonly placard: Placard;
  readonly seconds: number;
}

/** Starts an installation and takes the time until the first ad is served; without a demo, until it is ready. */
export async function timedStart(options: PlacardOptions): Promise<TimedStart> {
  const started = performance.now();
  const placard = await startPlacard(options);
  const path =
    placard.workspaceId === "" ? "/readyz" : `/v1/workspaces/${placard.workspaceId}/ads/serving?count=1`;
  const sign = placard.workspaceId === "" ? '"ready":true' : '"id":"ad_';
  await until(async () => {
    const text = await (await fetch(`${placard.origin}${path}`)).text();
    return text.includes(sign) ? text : undefined;
  }, "No ad is served after the start.");
  return { placard, seconds: (performance.now() - started) / 1000 };
}

/** Time from the command to the first served ad: empty, with the demo, and on the folder of an earlier run. */
export async function start(dataDir: string, firstSeconds: number): Promise<ScenarioResult> {
  const second = await timedStart({ dataDir, seed: "demo", profileDir: undefined });
  await second.placard.stop();
  const emptyDir = await mkdtemp(join(tmpdir(), "placard-loadtest-"));
  try {
    const empty = await timedStart({ dataDir: emptyDir, seed: "none", profileDir: undefined });
    await empty.placard.stop();
    const seconds = {
      firstWithDemo: significant(firstSeconds, 3),
      firstEmpty: significant(empty.seconds, 3),
      second: significant(second.seconds, 3),
    };
    return {
      scenario: "start",
      rows: [
        { start: "first, with the demo, to the first ad", seconds: seconds.firstWithDemo },
        { start: "first, empty, to ready", seconds: seconds.firstEmpty },
        { start: "second, to the first ad", seconds: seconds.second },
      ],
      headline: { startSeconds: seconds },
      details: seconds,
      complaints: [],
    };
  } finally {
    await rm(emptyDir, { recursive: true, force: true });
  }
}
