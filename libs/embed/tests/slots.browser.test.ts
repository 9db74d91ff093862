import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startRig } from "./rig.ts";

const rig = startRig();
const SLOT = '<div data-placard="ws_1"></div>';

async function names(page: Page): Promise<string[]> {
  return await page.locator("[part=name]").allTextContents();
}

async function expectAds(page: Page, expected: readonly string[]): Promise<void> {
  await expect.poll(() => names(page)).toEqual(expected.map((name) => `Example ${name}`));
}

it("shows no ad twice, and asks once for slots that want the same", async () => {
  const { page } = await rig.open(`${SLOT}<div data-placard="ws_1" data-count="2"></div>${SLOT}${rig.tag}`);

  await expectAds(page, ["Coffee", "Hosting", "Type", "Bikes"]);
  expect(rig.asked.map((query) => query.get("count"))).toEqual(["4"]);
});

it("asks for slots that want different ads one after the other, each without those that are there", async () => {
  const { page } = await rig.open(
    `${SLOT}<div data-placard="ws_1" data-weight-gte="2" data-weight-lt="5.5" data-tier-id="tier_1,tier_2"></div>${rig.tag}`,
  );

  await expectAds(page, ["Coffee", "Hosting"]);
  expect(rig.asked.map((query) => Object.fromEntries(query))).toEqual([
    { count: "1", proof: "1" },
    {
      count: "1",
      proof: "1",
      "weight[gte]": "2",
      "weight[lt]": "5.5",
      tierId: "tier_1,tier_2",
      excludeIds: "ad_example_coffee",
    },
  ]);
});

it("says so on a slot that no ad is left for, and shows what the site has put there", async () => {
  rig.ads = rig.ads.slice(0, 1);
  const { page } = await rig.open(`${SLOT}<div data-placard="ws_1"><p>Your ad here</p></div>${rig.tag}`);

  await page.locator("[data-placard-state=empty]").waitFor();

  await expectAds(page, ["Coffee"]);
  expect(await page.getByText("Your ad here").isVisible()).toBe(true);
});

it("hides what the site has put into a slot once there is an ad", async () => {
  const { page } = await rig.open(`<div data-placard="ws_1"><p>Your ad here</p></div>${rig.tag}`);

  await expectAds(page, ["Coffee"]);

  expect(await page.getByText("Your ad here").isVisible()).toBe(false);
});

it("fills slots that are added later, and shows the ads of those that are gone again", async () => {
  rig.ads = rig.ads.slice(0, 2);
  const { page } = await rig.open(`<main>${SLOT}</main>${rig.tag}`);
  await expectAds(page, ["Coffee"]);

  await page.evaluate((slot) => document.querySelector("main")?.insertAdjacentHTML("beforeend", slot), SLOT);
  await expectAds(page, ["Coffee", "Hosting"]);
  await page.evaluate((slot) => {
    const main = document.querySelector("main");
    if (main !== null) main.innerHTML = slot;
  }, SLOT);

  await expectAds(page, ["Coffee"]);
});

it("fills a slot again when its attributes change, and empties one that is none any more", async () => {
  const { page } = await rig.open(`${SLOT}${rig.tag}`);
  await expectAds(page, ["Coffee"]);
  const slot = page.locator("[data-placard]");

  await slot.evaluate((element) => element.setAttribute("data-count", "2"));
  await expectAds(page, ["Coffee", "Hosting"]);
  await slot.evaluate((element) => element.removeAttribute("data-placard"));

  await expectAds(page, []);
});

it("does nothing twice when it is included twice", async () => {
  const { page } = await rig.open(
    `${SLOT}${rig.tag}${rig.tag}<script src="${rig.origin}/embed.js?again"></script>`,
  );

  await expectAds(page, ["Coffee"]);
  await expect.poll(() => rig.reported.length).toBe(1);

  expect(rig.asked).toHaveLength(1);
  expect(await page.locator("[data-placard] > div").count()).toBe(1);
});

it("fills 50 slots of a page, says so, and leaves the others", async () => {
  rig.ads = Array.from({ length: 60 }, (_, index) => ({ ...rig.ads[0], id: `ad_${index}` })).flatMap((ad) =>
    ad.name === undefined ? [] : [{ name: "", websiteUrl: "", faviconUrl: "", weight: 1, meta: {}, ...ad }],
  );
  const { page, expectProblems } = await rig.open(`${SLOT.repeat(52)}${rig.tag}`);

  await expect.poll(async () => (await names(page)).length).toBe(50);

  expectProblems(/console warning: Placard fills only 50 slots/);
});

it("leaves a manual page alone until the site's call, and then fills a slot in a shadow root", async () => {
  const { page } = await rig.open(
    `${SLOT}<div id="app"></div>${rig.tag.replace("async", "data-placard-manual")}`,
  );
  await page.evaluate(async () => {
    const slot = document.createElement("div");
    slot.dataset.placard = "ws_1";
    document.querySelector("#app")?.attachShadow({ mode: "open" }).append(slot);
    await window.placard?.fill(slot);
  });

  await expectAds(page, ["Coffee"]);
  expect(await page.locator("#app [data-placard-state=filled]").count()).toBe(1);
  expect(await page.locator("[data-placard]:not([data-placard-state])").count()).toBe(1);
});

it("tells the page what becomes of a slot", async () => {
  const { page } = await rig.open(`<main>${SLOT}</main>${rig.tag}`, {
    head: `<script>
      window.heard = [];
      for (const name of ["filled", "impression", "click"]) {
        addEventListener("placard:" + name, ({ target, detail }) =>
          heard.push([name, target.dataset.placard, (detail.ad ?? detail.ads[0]).name, detail.success]));
      }
      addEventListener("click", (event) => event.preventDefault());
    </script>`,
  });
  await expect.poll(() => rig.reported.length).toBe(1);

  await page.getByRole("link").click();

  await expect
    .poll(() => page.evaluate("window.heard"))
    .toEqual([
      ["filled", "ws_1", "Example Coffee", undefined],
      ["impression", "ws_1", "Example Coffee", true],
      ["click", "ws_1", "Example Coffee", undefined],
    ]);
});

it("takes a new path without a load for another page view: other ads, impressions of their own", async () => {
  const { page } = await rig.open(`<main>${SLOT}</main>${rig.tag}`);
  await expect.poll(() => rig.reported.length).toBe(1);

  rig.ads = rig.ads.slice(1);
  await page.evaluate(() => history.pushState(null, "", "/articles/2"));
  await expectAds(page, ["Hosting"]);
  await expect.poll(() => rig.reported.length).toBe(2);
  await page.goBack();
  await expect.poll(() => rig.reported.length).toBe(3);

  expect(rig.reported.map(({ adId }) => adId)).toEqual([
    "ad_example_coffee",
    "ad_example_hosting",
    "ad_example_hosting",
  ]);
});

it("takes a new query or place on the page for the same page view", async () => {
  const { page } = await rig.open(`<main>${SLOT}</main>${rig.tag}`);
  await expect.poll(() => rig.reported.length).toBe(1);

  await page.evaluate(() => {
    history.replaceState(null, "", "?q=words");
    location.hash = "further-down";
  });
  // What the script would notice, it has noticed when it fills this one.
  await page.evaluate((slot) => document.body.insertAdjacentHTML("beforeend", slot), SLOT);
  await expectAds(page, ["Coffee", "Hosting"]);

  expect(rig.asked).toHaveLength(2);
});

it("takes a page that the browser has kept for another page view", async () => {
  const { page } = await rig.open(`<main>${SLOT}</main>${rig.tag}`);
  await expect.poll(() => rig.reported.length).toBe(1);

  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

  await expect.poll(() => rig.reported.length).toBe(2);
});
