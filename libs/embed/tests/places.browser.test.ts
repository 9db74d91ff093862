import { expect, it } from "vitest";
import { startRig } from "./rig.ts";

const rig = startRig();
const SLOT = '<div data-placard="ws_1"></div>';

it("tells the page without its query, and nothing of what led to it where that is the site itself or nothing", async () => {
  const { page } = await rig.open(SLOT + rig.tag, { path: "/news/today" });
  await expect.poll(() => rig.places).toHaveLength(1);
  await page.goto("/news/today?token=secret#part");
  await expect.poll(() => rig.places).toHaveLength(2);

  const place = { placement: "", page: `${rig.siteOrigin}/news/today`, referrer: "" };

  expect(rig.places[0]).toEqual(place);
  expect(rig.places[1]).toMatchObject({ page: `${rig.siteOrigin}/news/today` });
});

it("tells the host of the site that led to the page", async () => {
  rig.addPage("/news", SLOT + rig.tag);
  const { page } = await rig.open(
    `<a href="${rig.siteOrigin.replace("localhost", "127.0.0.1")}/news">Read</a>`,
    { alsoFrom: [rig.origin, rig.siteOrigin.replace("localhost", "127.0.0.1")] },
  );

  await page.getByRole("link").click();

  await expect.poll(() => rig.places.map(({ referrer }) => referrer)).toEqual([new URL(rig.siteOrigin).host]);
});

it("names the placement of each slot, or else that of the script, in a request for each", async () => {
  rig.ads = rig.ads.map((ad) => ({ ...ad, websiteUrl: `${rig.siteOrigin}/landing` }));
  rig.addPage("/landing", "<p>Landed</p>");
  const tag = rig.tag.replace("<script", '<script data-placement="everywhere"');
  const { page } = await rig.open(
    `<div id="first" data-placard="ws_1" data-placement="side bar & more"></div>${SLOT}${SLOT}${tag}`,
  );

  await expect
    .poll(() => rig.places.map(({ placement }) => placement).sort())
    .toEqual(["everywhere", "side bar & more"]);
  await expect.poll(() => rig.reported).toHaveLength(3);

  await page.locator("#first a").click();
  await expect.poll(() => rig.places.at(-1)?.placement).toBe("side bar & more");
});

it("names the placement that a site's own code gives", async () => {
  const { page } = await rig.open("<p>No slot</p>");

  await page.evaluate(`import("${rig.origin}/embed.mjs").then(async (embed) => {
    await embed.trackImpression("ad_1", { placement: "footer" });
    embed.trackClick("ad_1", { placement: "header" });
  })`);

  await expect.poll(() => rig.places.map(({ placement }) => placement)).toEqual(["footer", "header"]);
});
