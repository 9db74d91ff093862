import { expect, it } from "vitest";
import { startRig } from "./rig.ts";

const rig = startRig();
const SLOT = '<div data-placard="ws_1"><p>Your ad here</p></div>';

it("leaves the page as it is while ads are on their way, and gives up after 8 seconds", async () => {
  rig.mood = "never";
  const { page } = await rig.open(`${SLOT}${rig.tag}<h1>The article</h1>`, {
    before: async ({ page }) => page.clock.install({ time: 0 }),
  });
  await page.locator("[data-placard-state=loading]").waitFor();
  await expect.poll(() => rig.asked.length).toBe(1);
  expect(await page.getByText("Your ad here").isVisible()).toBe(true);

  await page.clock.runFor(8_000);

  await page.locator("[data-placard-state=failed]").waitFor();
  expect(await page.getByText("Your ad here").isVisible()).toBe(true);
});

it.each([404, 422, 429, 500, 503])(
  "shows what the site has put there when it is answered %i",
  async (status) => {
    rig.mood = status;
    const { page, expectProblems } = await rig.open(`${SLOT}${rig.tag}`);

    await page.locator("[data-placard-state=failed]").waitFor();

    expect(await page.getByText("Your ad here").isVisible()).toBe(true);
    // The browser's own line; the script writes none and throws nothing.
    expectProblems(new RegExp(`status of ${status}`));
  },
);

it("shows what the site has put there when it is offline, and ads once it is online", async () => {
  const { page, context, expectProblems } = await rig.open(`<main></main>${rig.tag}`);
  await page.waitForFunction(() => window.placard !== undefined);
  await context.setOffline(true);
  await page.evaluate((slot) => document.querySelector("main")?.insertAdjacentHTML("beforeend", slot), SLOT);
  await page.locator("[data-placard-state=failed]").waitFor();
  expect(await page.getByText("Your ad here").isVisible()).toBe(true);

  await context.setOffline(false);

  await page.locator("[data-placard-state=filled]").waitFor();
  expectProblems(/ERR_INTERNET_DISCONNECTED/);
});

it("breaks nothing where the script or its requests are blocked", async () => {
  const { page, expectProblems } = await rig.open(`${SLOT}${rig.tag}`, {
    before: async ({ page }) => page.route(`${rig.origin}/v1/**`, (route) => route.abort("blockedbyclient")),
  });
  await page.locator("[data-placard-state=failed]").waitFor();
  await page.route(`${rig.origin}/embed.js`, (route) => route.abort("blockedbyclient"));
  await page.reload();

  expect(await page.getByText("Your ad here").isVisible()).toBe(true);
  expectProblems(/ERR_BLOCKED_BY_CLIENT/);
});

it("shows no ad that is none", async () => {
  const [sound] = rig.ads;
  const broken: unknown[] = [
    null,
    {},
    { ...sound, id: 7 },
    { ...sound, id: "ad_0", name: "Hostile", websiteUrl: "javascript:alert(1)" },
  ];
  const { page } = await rig.open(`${SLOT}${rig.tag}`, {
    before: async ({ page }) =>
      page.route(`${rig.origin}/v1/workspaces/**`, (route) =>
        route.fulfill({ json: { ads: [...broken, sound] } }),
      ),
  });

  await page.locator("[data-placard-state=filled]").waitFor();

  expect(await page.locator("[part=name]").allTextContents()).toEqual(["Example Coffee"]);
});
