import { expect, it, vi } from "vitest";
import { listedAd } from "#libs/contract/ads.ts";
import { pageOf } from "#libs/contract/query.ts";
import { aPublisher, aTier } from "../../management/tests/story.ts";
import { aDataFolder, startInstallation } from "./installation.ts";
import { advertise, approve, publisherAt, readTotals } from "./publisher.ts";
import { aVisitor, report, viewAds } from "./visitor.ts";

const IMPRESSIONS = 200;
const CLICKS = 20;
/** What the product promises: management's changes show in serving, events in stats. */
const SERVED_WITHIN = { timeout: 1_000, interval: 25 };
const COUNTED_WITHIN = { timeout: 3_000, interval: 50 };

it("sells, reviews, serves and counts an ad over HTTP alone, and knows it all after a restart", async () => {
  const dataDir = await aDataFolder();
  const first = await startInstallation({ dataDir });
  const origin = first.url;

  const publisher = await aPublisher({ origin });
  const workspaceId = publisher.workspace.id;
  const tier = await aTier(publisher);
  expect(await viewAds(origin, workspaceId)).toEqual([]);

  const adId = await advertise(origin, publisher, tier.prices[0]?.id ?? "", "Example Coffee");
  const list = await publisher.caller.ok(pageOf(listedAd), "GET", `${publisher.path}/ads`);
  expect(list.items.map(({ id, status }) => ({ id, status }))).toEqual([{ id: adId, status: "Pending" }]);
  expect(await viewAds(origin, workspaceId)).toEqual([]);

  await approve(publisher, adId);
  await vi.waitFor(async () => expect(await viewAds(origin, workspaceId)).toEqual([adId]), SERVED_WITHIN);

  const visitors = Array.from({ length: IMPRESSIONS }, (_, index) => aVisitor(index));
  const clicking = visitors.slice(0, CLICKS);
  const seen = await Promise.all(visitors.map((visitor) => report(origin, adId, "impressions", visitor)));
  const clicked = await Promise.all(clicking.map((visitor) => report(origin, adId, "clicks", visitor)));
  expect([...seen, ...clicked]).toEqual(Array(IMPRESSIONS + CLICKS).fill(true));
  const counted = { impressions: IMPRESSIONS, clicks: CLICKS };
  await vi.waitFor(async () => expect(await readTotals(publisher, adId)).toEqual(counted), COUNTED_WITHIN);

  await first.stop();
  const second = await startInstallation({ dataDir, port: first.port });
  expect(await readTotals(publisherAt(second.url, publisher), adId)).toEqual(counted);
  expect(await viewAds(second.url, workspaceId)).toEqual([adId]);
  await second.stop();
}, 60_000);
