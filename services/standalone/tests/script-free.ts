import { expect, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { aPendingAd, aPublisher } from "../../management/tests/story.ts";
import { aPublisherWithAds, readTotals } from "./publisher.ts";
import { aVisitor } from "./visitor.ts";

const SERVED_KEYS = ["id", "name", "websiteUrl", "faviconUrl", "weight", "meta"];

/** Sells an ad, opens a newsletter with it and follows its link; both have to count, and to lead to the advertiser. */
export async function expectNewsletterCounts(origin: string): Promise<void> {
  const { publisher, adIds } = await aPublisherWithAds(origin, 1);
  const [adId = ""] = adIds;
  const { userAgent } = aVisitor(1);
  const ask = async (path: string, method: "GET" | "HEAD" = "GET") =>
    await fetch(`${origin}/v1/ads/${adId}/${path}`, {
      method,
      redirect: "manual",
      headers: { "user-agent": userAgent },
    });

  const tagged = "https://advertiser.example/landing?utm_source=weekly&utm_medium=newsletter";
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    utm: { source: "weekly", medium: "newsletter" },
  });
  await vi.waitFor(async () => {
    const location = (await ask("click", "HEAD")).headers.get("location");
    expect(location).toBe(tagged);
  }, 10_000);
  // Clicks on the site's own ads lead there too, with the same keys as ever.
  const { ads } = await (await fetch(`${origin}${publisher.path}/ads/serving`)).json();
  expect(ads.map((served: object) => Object.keys(served))).toEqual([SERVED_KEYS]);
  expect(ads).toMatchObject([{ id: adId, websiteUrl: tagged }]);
  const [opened, followed] = [await ask("impression.gif"), await ask("click")];

  expect([opened.status, opened.headers.get("content-type"), followed.status]).toEqual([
    200,
    "image/gif",
    302,
  ]);
  await vi.waitFor(async () => {
    expect(await readTotals(publisher, adId)).toMatchObject({ impressions: 1, clicks: 1 });
  }, 20_000);
}

/** Edits an ad, approves the edit, then rejects the ad; asks its link after each step. */
export async function expectLinkFollowsReview(origin: string): Promise<void> {
  const publisher = await aPublisher({ origin });
  const { caller } = publisher;
  const { id, path, checkout } = await aPendingAd({ origin }, publisher);
  const propose = async (websiteUrl: string) =>
    await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, { name: "Coffee", websiteUrl });
  const link = async () => {
    const { status, headers } = await fetch(`${origin}/v1/ads/${id}/click`, {
      method: "HEAD",
      redirect: "manual",
    });
    return [status, headers.get("location")];
  };
  const expectLink = async (...expected: Awaited<ReturnType<typeof link>>) =>
    await vi.waitFor(async () => expect(await link()).toEqual(expected), 60_000);

  expect(await link()).toEqual([404, null]);
  await propose("https://second.example/never-approved");
  expect(await link()).toEqual([404, null]);
  await propose("https://third.example/");
  await caller.ok(ad, "POST", `${path}/approve`);
  await expectLink(302, "https://third.example/");

  await propose("https://evil.example/");
  // A change that every visitor can see, after which the proposed one would show as well.
  await caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, { utm: { source: "weekly" } });
  await expectLink(302, "https://third.example/?utm_source=weekly");
  await propose("https://fourth.example/?utm_source=own");
  await caller.ok(ad, "POST", `${path}/revision/approve`);
  await expectLink(302, "https://fourth.example/?utm_source=own");

  await caller.ok(ad, "POST", `${path}/reject`, { note: "Not any more." });
  await expectLink(404, null);
}
