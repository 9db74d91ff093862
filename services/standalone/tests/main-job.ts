import { expect, vi } from "vitest";
import { listedAd } from "#libs/contract/ad.ts";
import { pageOf } from "#libs/contract/query.ts";
import { aPublisher, aTier, type Publisher } from "../../management/tests/story.ts";
import { advertise, approve, publisherAt, readTotals } from "./publisher.ts";
import { aVisitor, report, viewAds } from "./visitor.ts";

const IMPRESSIONS = 200;
const CLICKS = 20;
const COUNTED = { impressions: IMPRESSIONS, clicks: CLICKS };
/** What the product promises: management's changes show in serving, events in stats. */
const SERVED_WITHIN = { timeout: 1_000, interval: 25 };
const COUNTED_WITHIN = { timeout: 3_000, interval: 50 };

/** An ad that has been sold, served and counted. */
export interface MainJob {
  readonly publisher: Publisher;
  readonly adId: string;
}

/** Sells, reviews, serves and counts an ad at an installation, over HTTP alone, in the time that the product promises. */
export async function doTheMainJob(origin: string): Promise<MainJob> {
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
  await vi.waitFor(async () => expect(await readTotals(publisher, adId)).toEqual(COUNTED), COUNTED_WITHIN);
  return { publisher, adId };
}

/** Expects an installation that was started again to know all of it. */
export async function expectMainJob(origin: string, { publisher, adId }: MainJob): Promise<void> {
  expect(await readTotals(publisherAt(origin, publisher), adId)).toEqual(COUNTED);
  expect(await viewAds(origin, publisher.workspace.id)).toEqual([adId]);
}
