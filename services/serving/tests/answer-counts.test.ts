import { afterEach, expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type ServingRig } from "./serving-rig.ts";

const ad = anAd();
const snapshot = aSnapshot({ ads: [ad] });
const ADS = `/workspaces/${snapshot.workspaceId}/ads/serving`;

let rig: ServingRig;
afterEach(() => rig.close());

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(rig.url + path, init);
  await response.text();
  return response;
}

async function seriesOf(name: string): Promise<string[]> {
  const lines = (await rig.registry.metrics()).split("\n");
  return lines.filter((line) => line.startsWith(name)).toSorted();
}

it("tells each answer by route and status once, whether it was ready or not, and nothing of other routes", async () => {
  rig = await openRig({ snapshots: [snapshot] });
  const first = await ask(ADS);
  await ask(ADS);
  await ask(ADS, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
  await ask(`${ADS}?weight[gte]=x`);
  await ask(`/workspaces/${newId("workspace")}/ads/serving`);
  await ask(`/workspaces/${snapshot.workspaceId}/tiers/serving`);
  await ask("/unknown");
  for (const adId of [ad.id, newId("ad")])
    await ask(`/ads/${adId}/impressions`, { method: "POST", headers: { "user-agent": FIREFOX } });

  const twice = [
    await seriesOf("placard_serving_answers_total"),
    await seriesOf("placard_serving_answers_total"),
  ];

  const ads = '{route="/v1/workspaces/:workspaceId/ads/serving"';
  for (const series of twice)
    expect(series).toEqual([
      'placard_serving_answers_total{route="/v1/ads/:adId/impressions",status="200"} 2',
      `placard_serving_answers_total${ads},status="200"} 2`,
      `placard_serving_answers_total${ads},status="304"} 1`,
      `placard_serving_answers_total${ads},status="404"} 1`,
      `placard_serving_answers_total${ads},status="422"} 1`,
      'placard_serving_answers_total{route="/v1/workspaces/:workspaceId/tiers/serving",status="200"} 1',
    ]);
});

it("tells of answers that the service cannot give", async () => {
  rig = await openRig();
  rig.source.isAway = true;

  const [refused, notTracked] = [await ask(ADS), await ask(`/ads/${ad.id}/clicks`, { method: "POST" })];

  expect([refused.status, notTracked.status]).toEqual([503, 503]);
  expect(await seriesOf("placard_serving_answers_total")).toEqual([
    'placard_serving_answers_total{route="/v1/ads/:adId/clicks",status="503"} 1',
    'placard_serving_answers_total{route="/v1/workspaces/:workspaceId/ads/serving",status="503"} 1',
  ]);
});

it("measures the wait of those requests for ads that had to wait", async () => {
  rig = await openRig({ snapshots: [snapshot] });

  await ask(ADS);
  await ask(ADS);
  await ask(ADS);

  expect(await seriesOf("placard_serving_wait_seconds_count")).toEqual([
    "placard_serving_wait_seconds_count 1",
  ]);
});
