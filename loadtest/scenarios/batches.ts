import { z } from "zod";
import { signIn } from "../../services/standalone/seed/caller.ts";
import type { DemoBench } from "../bench/bench.ts";
import { impressionsOn } from "../bench/impressions.ts";
import { BROWSER } from "../clients/browser.ts";
import type { Load, LoadResult } from "../clients/load.ts";
import { significant } from "../measure/statistics.ts";
import { until } from "../processes/until.ts";
import type { ScenarioResult } from "../report/result.ts";

const EVENTS = 1_000;
/** Different requests, sent in turn. */
const BODIES = 20;
/** Enough to keep the server busy. */
const AT_ONCE = 4;
const SINGLE_CONNECTIONS = 256;

const createdKey = z.object({ key: z.string() });

interface Measured {
  readonly result: LoadResult;
  readonly eventsPerSecond: number;
  readonly eventsPerCpuSecond: number;
}

/** Events that a server reports a thousand at a time, next to the same one by one, each durable before its answer. */
export async function batches(bench: DemoBench): Promise<ScenarioResult> {
  const { options, placard, adIds } = bench;
  const authorization = `Bearer ${await aTrackingKey(bench)}`;
  const requests = Array.from({ length: BODIES }, (_, nth) => ({
    method: "POST" as const,
    path: `/v1/workspaces/${placard.workspaceId}/events`,
    headers: { authorization, "content-type": "application/json" },
    body: bodyOf(adIds, nth),
  }));
  const inBatches: Load = {
    origin: placard.origin,
    method: "POST",
    paths: ["/"],
    mix: requests,
    duration: options.duration,
    connections: AT_ONCE,
    expectBody: `{"accepted":${EVENTS},"refused":[]}`,
  };
  const measured: { readonly single: Measured; readonly batch: Measured }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const single = await measure(bench, 1, () =>
      bench.client.race(impressionsOn(placard, adIds, SINGLE_CONNECTIONS, options)),
    );
    measured.push({ single, batch: await measure(bench, EVENTS, () => bench.client.run(inBatches)) });
  }
  const ratio = medianOf(measured.map(({ single, batch }) => batch.eventsPerSecond / single.eventsPerSecond));
  const cpuRatio = medianOf(
    measured.map(({ single, batch }) => batch.eventsPerCpuSecond / single.eventsPerCpuSecond),
  );
  const failed = measured.reduce(
    (sum, { single, batch }) => sum + single.result.failed + batch.result.failed,
    0,
  );
  const row = (name: string, of: readonly Measured[]) => ({
    "events come": name,
    "events/s": Math.round(medianOf(of.map(({ eventsPerSecond }) => eventsPerSecond))),
    "events per CPU s": Math.round(medianOf(of.map(({ eventsPerCpuSecond }) => eventsPerCpuSecond))),
    "p99 ms": significant(medianOf(of.map(({ result }) => result.p99)), 3),
    "client busy": significant(medianOf(of.map(({ result }) => result.clientBusy)), 2),
  });
  return {
    scenario: "batches",
    rows: [
      row(
        "one by one",
        measured.map(({ single }) => single),
      ),
      row(
        `${EVENTS} at a time`,
        measured.map(({ batch }) => batch),
      ),
    ],
    headline: { batches: { ratio: significant(ratio, 3), cpuRatio: significant(cpuRatio, 3) } },
    details: { measured },
    complaints: failed > 0 ? [`${failed} requests failed.`] : [],
  };
}

async function measure(
  { placard }: DemoBench,
  eventsPerAnswer: number,
  run: () => Promise<LoadResult>,
): Promise<Measured> {
  const before = await placard.usage();
  const result = await run();
  const after = await placard.usage();
  const cpuSeconds = (after.cpuMicros - before.cpuMicros) / 1e6;
  const events = result.answered * eventsPerAnswer;
  return {
    result,
    eventsPerSecond: result.perSecond * eventsPerAnswer,
    eventsPerCpuSecond: events / cpuSeconds,
  };
}

/** Signs in as the demo's publisher, makes a key, and waits until serving knows it. */
async function aTrackingKey({ placard }: DemoBench): Promise<string> {
  const { origin, workspaceId } = placard;
  const workspace = `${origin}/v1/workspaces/${workspaceId}`;
  const cookie = await signIn(origin, placard.signIn);
  const response = await fetch(`${workspace}/tracking-keys`, {
    method: "POST",
    headers: { cookie, origin, "content-type": "application/json" },
    body: JSON.stringify({ name: "Load test" }),
  });
  const { key } = createdKey.parse(await response.json());
  await until(async () => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const { status } = await fetch(`${workspace}/events`, { method: "POST", headers, body: "{}" });
    return status === 401 ? undefined : true;
  }, "serving does not know the tracking key");
  return key;
}

/** Events of visitors of their own. */
function bodyOf(adIds: readonly string[], nth: number): string {
  const events = Array.from({ length: EVENTS }, (_, event) => ({
    adId: adIds[event % adIds.length],
    kind: "impression",
    ip: `12.${nth}.${event >> 8}.${event & 255}`,
    userAgent: BROWSER,
  }));
  return JSON.stringify({ events });
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
