import { expect, it, vi } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { aDataFolder, startInstallation } from "./installation.ts";
import { aPublisherWithAds } from "./publisher.ts";
import { aVisitor, report } from "./visitor.ts";

/** What the product promises: a change shows in serving within a second. */
const HELD_WITHIN = { timeout: 1_000, interval: 25 };

it("holds the limits that a publisher sets within a second, and the installation's where they set none", async () => {
  const installation = await startInstallation({
    dataDir: await aDataFolder(),
    environment: { IMPRESSIONS_PER_MINUTE: "2", CLICKS_PER_MINUTE: "0" },
  });
  const origin = installation.url;
  const { publisher, adIds } = await aPublisherWithAds(origin, 1);
  const [adId = ""] = adIds;
  const settings = `${publisher.path}/settings`;
  let visitors = 0;

  /** How many of five events of a new visitor are taken. Their minute may end meanwhile, which is tried again. */
  async function taken(kind: "impressions" | "clicks"): Promise<number> {
    const minute = () => Math.floor(Date.now() / 60_000);
    for (;;) {
      visitors += 1;
      const begun = minute();
      const visitor = aVisitor(visitors);
      const answers = [];
      for (let n = 0; n < 5; n += 1) answers.push(await report(origin, adId, kind, visitor));
      if (minute() === begun) return answers.filter(Boolean).length;
    }
  }

  const usual = await publisher.caller.ok(workspaceSettings, "GET", settings);
  const before = [await taken("impressions"), await taken("clicks")];
  await publisher.caller.ok(workspaceSettings, "PATCH", settings, {
    limits: { impressionsPerMinute: 4, clicksPerMinute: 1 },
  });
  await vi.waitFor(async () => expect(await taken("clicks")).toBe(1), HELD_WITHIN);
  const own = [await taken("impressions"), await taken("clicks")];
  await publisher.caller.ok(workspaceSettings, "PATCH", settings, {
    limits: { impressionsPerMinute: 0, clicksPerMinute: null },
  });
  await vi.waitFor(async () => expect(await taken("impressions")).toBe(5), HELD_WITHIN);

  expect(usual.limitsInEffect).toEqual({ impressionsPerMinute: 2, clicksPerMinute: 0 });
  expect([before, own]).toEqual([
    [2, 5],
    [4, 1],
  ]);
  await installation.stop();
}, 60_000);
