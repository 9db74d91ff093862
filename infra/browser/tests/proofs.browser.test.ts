import { createServer } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { adTraffic } from "#libs/contract/ad.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { aPublisherWithAds, readTotals } from "../../../services/standalone/tests/publisher.ts";
import { aVisitor, report } from "../../../services/standalone/tests/visitor.ts";
import { openPage, startProduct } from "../index.ts";

const product = startProduct();

/** A publisher's page on an origin of its own, whose ad was seen. */
async function openSite(body: string) {
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,"><body>${body}`,
    );
  });
  const origin = `http://localhost:${await listenOnLoopback(site)}`;
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  const opened = await openPage(origin, { alsoFrom: [product.origin] });
  const isSeen = (response: { url(): string }) => new URL(response.url()).pathname.endsWith("/impressions");
  await Promise.all([opened.page.waitForResponse(isSeen), opened.page.goto("/")]);
  return opened;
}

it("counts what the tag and the module report where a workspace counts only events with proof, and nothing made up", async () => {
  const { publisher, adIds } = await aPublisherWithAds(product.origin, 1);
  const [adId = ""] = adIds;
  const { caller, path } = publisher;
  const traffic = async () =>
    (await caller.ok(adTraffic, "GET", `${path}/ads/${adId}/traffic?days=2`)).totals;
  await caller.ok(workspaceSettings, "PATCH", `${path}/settings`, { requireProof: true });
  let made = 0;
  await vi.waitFor(
    async () => {
      made += 1;
      await report(product.origin, adId, "clicks", aVisitor(made));
      expect((await traffic()).unproven).toBeGreaterThan(0);
    },
    { timeout: 30_000, interval: 1_000 },
  );
  const before = await readTotals(publisher, adId);

  const { page } = await openSite(
    `<div data-placard="${publisher.workspace.id}"></div><script src="${product.origin}/embed.js" async></script>`,
  );
  // Another visitor a moment later would count as well; this one's second impression is a duplicate.
  const repeated = await page.evaluate(`import("${product.origin}/embed.mjs").then(async (embed) => {
    const [{ id }] = await embed.getAds({ workspace: "${publisher.workspace.id}" });
    return await embed.trackImpression(id);
  })`);
  await page
    .locator("[data-placard] a")
    .first()
    .evaluate((link) => {
      link.addEventListener("click", (event) => event.preventDefault());
    });
  await page.locator("[data-placard] a").first().click();

  expect(repeated).toBe(true);
  await vi.waitFor(
    async () => {
      const { impressions, clicks } = await readTotals(publisher, adId);
      expect([impressions - before.impressions, clicks - before.clicks]).toEqual([1, 1]);
      expect((await traffic()).duplicate).toBe(1);
    },
    { timeout: 30_000, interval: 1_000 },
  );
});
