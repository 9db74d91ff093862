import { expect, vi } from "vitest";
import { ad, adStats } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { ApiCaller } from "../../management/tests/callers.ts";
import { aPaidCheckout, aPublisher, aTier, type Publisher } from "../../management/tests/story.ts";
import { viewAds } from "./visitor.ts";

/** Buys the price in the sandbox and submits an ad, as somebody without any account; returns the ad's id. */
export async function advertise(
  origin: string,
  publisher: Publisher,
  priceId: string,
  name: string,
): Promise<string> {
  const { caller, path } = await aPaidCheckout({ origin }, publisher, priceId);
  const { id } = await caller.ok(submittedAd, "POST", `${path}/ad`, {
    name,
    websiteUrl: "https://advertiser.example/landing",
  });
  return id;
}

/** Approves the ad, so that it is served. */
export async function approve({ caller, path }: Publisher, adId: string): Promise<void> {
  await caller.ok(ad, "POST", `${path}/ads/${adId}/approve`);
}

/** A publisher with `ads` ads on the air; at most 20, because a minute allows no more checkouts. */
export async function aPublisherWithAds(
  origin: string,
  ads: number,
): Promise<{ publisher: Publisher; adIds: string[] }> {
  const publisher = await aPublisher({ origin });
  const { prices } = await aTier(publisher);
  const adIds: string[] = [];
  for (let index = 1; index <= ads; index += 1) {
    const adId = await advertise(origin, publisher, prices[0]?.id ?? "", `Advertiser ${index}`);
    await approve(publisher, adId);
    adIds.push(adId);
  }
  // Until then an event would be one of an ad that is not serving, and not count.
  await vi.waitFor(
    async () => expect((await viewAds(origin, publisher.workspace.id)).sort()).toEqual([...adIds].sort()),
    { timeout: 20_000, interval: 25 },
  );
  return { publisher, adIds };
}

/** The publisher's key, used on an installation that has been started again. */
export function publisherAt(origin: string, publisher: Publisher): Publisher {
  const authorization = `Bearer ${publisher.key.key}`;
  return { ...publisher, caller: new ApiCaller(origin, { authorization }) };
}

/** Counts of the ad, yesterday's included: midnight may pass during a test. */
export async function readTotals(
  { caller, path }: Publisher,
  adId: string,
): Promise<{ impressions: number; clicks: number }> {
  return (await caller.ok(adStats, "GET", `${path}/ads/${adId}/stats?days=2`)).totals;
}
