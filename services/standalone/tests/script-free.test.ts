import { expect, it, vi } from "vitest";
import { adStats } from "#libs/contract/ad.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { aDataFolder, startInstallation } from "./installation.ts";
import { aPublisherWithAds } from "./publisher.ts";
import { aVisitor } from "./visitor.ts";

it("leads a newsletter's reader to the advertiser with the publisher's parameters, and counts what they did", async () => {
  const installation = await startInstallation({ dataDir: await aDataFolder() });
  const { publisher, adIds } = await aPublisherWithAds(installation.url, 1);
  const [adId = ""] = adIds;
  const { caller, path } = publisher;
  const linkOf = async (method: "GET" | "HEAD") =>
    await fetch(`${installation.url}/v1/ads/${adId}/click`, {
      method,
      redirect: "manual",
      headers: { "user-agent": aVisitor(1).userAgent },
    });
  const pixel = `${installation.url}/v1/ads/${adId}/impression.gif`;

  await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, {
    utm: { source: "weekly", medium: "newsletter" },
  });
  await vi.waitFor(async () => {
    const location = (await linkOf("HEAD")).headers.get("location");
    expect(location).toBe("https://advertiser.example/landing?utm_source=weekly&utm_medium=newsletter");
  }, 10_000);
  const [opened, followed] = [
    await fetch(pixel, { headers: { "user-agent": aVisitor(1).userAgent } }),
    await linkOf("GET"),
  ];

  expect([opened.status, followed.status]).toEqual([200, 302]);
  await vi.waitFor(async () => {
    const { totals } = await caller.ok(adStats, "GET", `${path}/ads/${adId}/stats`);
    expect(totals).toMatchObject({ impressions: 1, clicks: 1 });
  }, 20_000);
  await installation.stop();
}, 60_000);
