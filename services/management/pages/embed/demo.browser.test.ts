import { expect, it } from "vitest";
import { z } from "zod";
import { adStats } from "#libs/contract/ad.ts";
import {
  expectAccessible,
  expectNoOverflow,
  openPage,
  startProduct,
} from "../../../../infra/browser/index.ts";

const product = startProduct({ SEED: "demo" });
const REPORTED = /^Impression of /;
/** The name of an ad, in a card or in the site's own markup. */
const NAME = "[part=name], .line [data-placard-text=name]";

it("shows the demo's ads in every way that there is, and tells what it reports", async () => {
  const { page } = await openPage(product.origin);
  await page.goto("/demo");
  await expect.poll(() => page.locator("[data-placard-state=filled]").count()).toBe(4);

  const shown = await page.locator(NAME).allTextContents();
  expect(new Set(shown).size).toBe(5);
  await expectAccessible(page);
  for (const width of [360, 768, 1440]) await expectNoOverflow(page, width);

  const impressions = page.getByRole("listitem").filter({ hasText: REPORTED });
  for (const [place, name] of shown.entries()) {
    await page.locator(NAME).nth(place).scrollIntoViewIfNeeded();
    await page.getByText(`Impression of ${name}`, { exact: true }).waitFor();
  }
  expect(await impressions.count()).toBe(shown.length);
  await page.getByRole("button", { name: "Go to the next page" }).click();
  await page.getByText("Page 1 of this site").waitFor();
  await page.locator("[data-placard-state=filled]").first().scrollIntoViewIfNeeded();
  await expect.poll(() => impressions.count()).toBeGreaterThan(shown.length);
});

it("counts what was seen and clicked", async () => {
  const [, workspaceId = "", key = ""] =
    /Workspace +(ws_\w+)[\s\S]*Key +(plc_\w+)/.exec(product.stdout) ?? [];
  const { page, context } = await openPage(product.origin, { alsoFrom: [/\.example$/] });
  const read = async (adId: string) => {
    const address = `${product.origin}/v1/workspaces/${workspaceId}/ads/${adId}/stats?days=2`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
    return adStats.parse(await answer.json()).totals;
  };
  const ads = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }).parse(
    await (
      await fetch(`${product.origin}/v1/workspaces/${workspaceId}/ads`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).json(),
  ).items;
  await context.route("https://*.example/**", (route) => route.fulfill({ body: "The advertiser's site" }));
  await page.goto(`/demo?workspace=${workspaceId}`);
  const card = page.locator("[part=ad]").first();
  const name = await card.locator("[part=name]").textContent();
  const { id = "" } = ads.find((ad) => ad.name === name) ?? {};
  await page.getByText(`Impression of ${name}`).waitFor();
  const before = await read(id);

  await card.click();

  await page.getByText(`Click on ${name}`).waitFor();
  await expect.poll(async () => (await read(id)).clicks).toBe(before.clicks + 1);
});

it.each(["nobody", '"><script>alert(1)</script>'])("asks for another workspace than %s", async (asked) => {
  const { page, expectProblems } = await openPage(product.origin);

  await page.goto(`/demo?workspace=${encodeURIComponent(asked)}`);

  expect(await page.getByRole("alert").textContent()).toBe(`There is no workspace “${asked}”.`);
  await expectAccessible(page);
  expectProblems(/status of 404/);
  await page.getByLabel("Workspace").fill("demo");
  await page.getByRole("button", { name: "Show its ads" }).click();
  await page.locator("[data-placard-state=filled]").first().waitFor();
});
