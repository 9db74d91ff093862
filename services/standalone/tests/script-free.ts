import { expect, vi } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { aPublisherWithAds, readTotals } from "./publisher.ts";
import { aVisitor } from "./visitor.ts";

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

  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    utm: { source: "weekly", medium: "newsletter" },
  });
  await vi.waitFor(async () => {
    const location = (await ask("click", "HEAD")).headers.get("location");
    expect(location).toBe("https://advertiser.example/landing?utm_source=weekly&utm_medium=newsletter");
  }, 10_000);
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
