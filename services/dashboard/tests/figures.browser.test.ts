import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { adTraffic } from "#libs/contract/ad.ts";
import { perVerdict } from "#libs/domain/event.ts";
import { openAsDemo, readWelcome } from "../../../infra/browser/demo-site.ts";
import {
  expectAccessible,
  expectNoOverflow,
  openPage,
  settled,
  startProduct,
} from "../../../infra/browser/index.ts";
import { buy, ownWorkspace, priceOnSale } from "./publisher.ts";

const product = startProduct({ SEED: "demo" });
const LONG = { timeout: 240_000 };

/** A person with a workspace of their own that has one tier for 1,234.00 dollars a month. */
async function aNewPublisher(page: Page) {
  const id = await ownWorkspace(page, "Novak Weekly");
  const priceId = await priceOnSale(page, id, { amount: 123_400, currency: "usd" });
  return { id, sell: () => buy(page, id, priceId) };
}

async function expectSound(page: Page): Promise<void> {
  await settled(page);
  await expectAccessible(page);
  for (const width of [320, 360, 768, 1280]) await expectNoOverflow(page, width);
}

it("shows a purchase and its revenue before there is an ad, not that nothing was sold", LONG, async () => {
  const { page } = await openPage(product.origin);
  const publisher = await aNewPublisher(page);
  await page.goto(`/w/${publisher.id}/overview`);
  await page.getByRole("heading", { name: "No sales yet" }).waitFor();

  await publisher.sell();
  await page.reload();

  await page.getByRole("heading", { name: "Waiting for an ad" }).waitFor();
  await page.getByRole("link", { name: "Quagga Coffee" }).waitFor();
  await page.getByRole("listitem").getByText("quagga@example.com").waitFor();
  // The processor's message may come after the page was read, which asks again by itself.
  await expect.poll(() => page.locator("dd").allTextContents(), { timeout: 60_000 }).toContain("$1,234.00");
  expect(await page.getByText("No sales yet").count()).toBe(0);
  // These are read once, perhaps before the processor's message.
  await page.reload();
  const recurring = page.getByRole("region", { name: "Subscriptions" });
  // Its renewals wait for an ad.
  await expect
    .poll(() => recurring.locator("dd").allTextContents(), { timeout: 30_000 })
    .toEqual([
      ...["$1,234.00", "1 subscription", "$1,234.00", "1 subscription"],
      ...["$0.00", "0 subscriptions", "$0.00", "0 subscriptions"],
    ]);
  await expectSound(page);
  const card = page.locator(".overview-figures > *", { hasText: "Revenue" });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = await card.locator("dd").evaluate((amount) => {
      amount.textContent = "$852,164.00";
      return amount.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(amount).lineHeight);
    });
    expect(lines, `lines of the amount at ${width} px`).toBeCloseTo(1, 0);
  }
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await card.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  }
  await page.goto(`/w/${publisher.id}/ads`);
  await page.getByRole("heading", { name: "Waiting for an ad" }).waitFor();
});

it("ticks the tag once the site has shown it, and continues the setup where it was left", LONG, async () => {
  const { page } = await openPage(product.origin);
  const { id } = await aNewPublisher(page);
  await page.goto(`/w/${id}/overview`);
  const step = page.getByRole("listitem").filter({ hasText: "Add Placard to your site" });
  await step.waitFor();
  expect(await step.getByLabel("Done").count()).toBe(0);
  await page.getByText("Choose what ads contain").waitFor();

  const answer = await fetch(`${product.origin}/v1/workspaces/${id}/ads/serving`, {
    headers: { origin: "https://novak.example" },
  });

  expect(answer.status).toBe(200);
  await step.getByText("Seen on novak.example 1 minute ago.").waitFor();
  await step.getByLabel("Done").waitFor();

  const other = await aNewPublisher(page);
  await page.goto(`/w/${other.id}/overview`);
  await page.getByRole("link", { name: "Continue setup" }).click();
  await page.getByRole("heading", { name: "What do advertisers submit?" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Add Placard to your site" }).waitFor();

  await page.goto(`/w/${other.id}/overview`);
  await page.getByText("3 fields", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Continue setup" }).click();
  await page.getByRole("heading", { name: "Add Placard to your site", level: 1 }).waitFor();
});

it(
  "draws charts in UTC that mark today, with round ticks and the same numbers as a table",
  LONG,
  async () => {
    const { page } = await openAsDemo(product);
    const { workspaceId } = readWelcome(product);
    await page.goto(`/w/${workspaceId}/overview`);
    await page.getByText("Daily totals, UTC. Dashed: today so far.").waitFor();

    await page.locator(".recharts-line-curve").first().waitFor({ state: "attached" });
    const ticks = await page
      .locator(".recharts-yAxis-tick-labels")
      .first()
      .locator("tspan")
      .allTextContents();
    const counts = ticks.map((tick) => Number(tick.replaceAll(",", "").replace(/K$/, "000")));
    const [zero = 1, step = 0] = counts;
    expect(zero).toBe(0);
    expect(String(step)).toMatch(/^[125]0*$/);
    expect(counts).toEqual(counts.map((_, index) => index * step));
    const dashed = page.locator(".recharts-line-curve[stroke-dasharray='5 5']");
    expect(await dashed.count()).toBe(2);

    await page.getByText("Daily breakdown").click();
    const table = page.getByRole("table", { name: "Impressions and clicks per day (UTC)" });
    await table.getByText(/, so far$/).waitFor();
    const shares = (await table.getByRole("row").allTextContents()).flatMap(
      (row) => row.match(/[\d.]+%/g) ?? [],
    );
    expect(shares.length).toBeGreaterThan(0);
    for (const share of shares) expect(share).toMatch(/\.\d\d%$/);
    await page.getByRole("table", { name: "Top ads" }).waitFor();
    await expectSound(page);

    await page.getByText("1 year", { exact: true }).click();
    await page.getByText("Weekly totals, UTC.", { exact: false }).waitFor();
    await expect
      .poll(() => page.locator(".recharts-xAxis-tick-labels tspan").first().textContent())
      .toMatch(/^\w{3} \d{1,2}, \d{4}$/);
  },
);

it("says how much traffic did not count and why, of the workspace and of an ad", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  const { items } = await (
    await page.request.get(`/v1/workspaces/${workspaceId}/ads?sort=impressions&perPage=1`)
  ).json();

  for (const path of ["", `/ads/${items[0].id}`]) {
    const answer = await page.request.get(`/v1/workspaces/${workspaceId}${path}/traffic?days=90`);
    const { rows } = adTraffic.parse(await answer.json());
    await page.goto(`/w/${workspaceId}${path === "" ? "/overview" : path}?days=90`);
    const section = page.getByRole("region", { name: "Traffic quality" });
    if (path === "") await section.getByRole("button", { name: "Show results and reasons" }).click();
    await section.getByText("Events above your per-address limit", { exact: false }).waitFor();

    const { corrected: _none, ...others } = perVerdict((row) => row);
    for (const { verdict, title, reason } of Object.values(others)) {
      const impressions = rows
        .filter((row) => row.verdict === verdict && row.kind === "impression")
        .reduce((sum, { events }) => sum + events, 0);
      expect(impressions, verdict).toBeGreaterThan(0);
      const row = section.getByRole("row", { name: title });
      await row.getByText(impressions.toLocaleString("en-US"), { exact: true }).first().waitFor();
      await section.getByText(reason, { exact: true }).waitFor();
    }
    await expectSound(page);
  }
});

it("leaves days out that the publisher corrects, and counts them again", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  const path = `/v1/workspaces/${workspaceId}/ads`;
  const { items } = await (await page.request.get(`${path}?sort=impressions&perPage=1`)).json();
  const traffic = async () => {
    const answer = await page.request.get(`${path}/${items[0].id}/traffic?days=30`);
    return adTraffic.parse(await answer.json()).totals;
  };
  const before = await traffic();
  await page.goto(`/w/${workspaceId}/ads/${items[0].id}`);
  const card = page.getByRole("region", { name: "Corrections" });
  await card.getByRole("button", { name: "Correct days" }).click();
  const save = card.getByRole("button", { name: "Don’t count these days" });
  await save.click();
  await expect.poll(() => card.getByLabel("First day").getAttribute("aria-invalid")).toBe("true");
  await expectSound(page);

  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  await card.getByLabel("First day").fill(day);
  await card.getByLabel("Last day").fill(day);
  await card.getByLabel("Reason").fill("A crawler of a partner.");
  // The second click of a double click corrects nothing more.
  await save.dblclick();
  await card.getByText("Not counted", { exact: true }).waitFor();
  expect(await card.getByText("A crawler of a partner.").count()).toBe(1);
  const quality = page.getByRole("region", { name: "Traffic quality" });
  await quality.getByRole("rowheader", { name: "Corrected" }).waitFor();
  await expectSound(page);
  const during = await traffic();
  await card.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect.poll(() => card.getByText("A crawler of a partner.").count()).toBe(0);

  expect(during.corrected).toBeGreaterThan(0);
  expect(during.valid + during.corrected).toBeGreaterThanOrEqual(before.valid);
  expect((await traffic()).corrected).toBe(0);
});

it("sorts ads by their impressions of the last 30 days, and calls a paused one paused", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  await page.goto(`/w/${workspaceId}/ads?sort=impressions`);
  const rows = page.getByRole("table", { name: "Ads" }).locator("tbody tr");
  await rows.first().waitFor();
  const shown = await rows.evaluateAll((all) =>
    all.map((row) => Number(row.querySelectorAll("td")[4]?.textContent?.replaceAll(",", ""))),
  );
  expect(shown[0]).toBeGreaterThan(0);
  expect(shown).toEqual(shown.toSorted((a, b) => b - a));
  await expectSound(page);

  const { items } = await (await page.request.get(`/v1/workspaces/${workspaceId}/ads?serving=yes`)).json();
  await page.request.post(`/v1/workspaces/${workspaceId}/ads/${items[0].id}/pause`, { data: {} });
  await page.goto(`/w/${workspaceId}/ads?subscription=Paused`);
  await rows.filter({ hasText: "Paused" }).first().waitFor();
  expect(await rows.count()).toBe(1);
  await page.goto(`/w/${workspaceId}/ads/${items[0].id}`);
  await page.getByRole("status").getByText("Paused", { exact: true }).waitFor();
  expect(await page.getByText("Not live", { exact: true }).count()).toBe(0);
  await expectSound(page);
});

it(
  "gives rows of the ads list the height of two lines, and breaks no name or mail address",
  LONG,
  async () => {
    const { page } = await openAsDemo(product);
    const { workspaceId } = readWelcome(product);
    await page.goto(`/w/${workspaceId}/ads`);
    const rows = page.getByRole("table", { name: "Ads" }).locator("tbody tr");
    await rows.first().waitFor();

    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThan(95);
      const emails = await rows
        .getByText(/^ads@/)
        .evaluateAll((all) => all.map((email) => email.getBoundingClientRect().height));
      expect(emails.length).toBeGreaterThan(0);
      expect(Math.max(...emails)).toBeLessThan(25);
    }
  },
);

it("leads from the image of an ad to its file without spelling its address", async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  const { items } = await (await page.request.get(`/v1/workspaces/${workspaceId}/ads?status=Pending`)).json();

  await page.goto(`/w/${workspaceId}/ads/${items[0].id}`);

  const link = page.getByRole("link", { name: /^Open image/ });
  expect(await link.getAttribute("href")).toContain("/uploads/");
  expect(await page.locator("main").getByText("/uploads/").count()).toBe(0);
});

it("keeps the names of top ads on the narrowest phone", async () => {
  const { page } = await openAsDemo(product);
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`/w/${readWelcome(product).workspaceId}/overview`);
  const names = page.getByRole("table", { name: "Top ads" }).getByRole("link");
  await names.first().waitFor();

  const cut = await names.evaluateAll((all) => all.map((name) => name.scrollHeight > name.clientHeight + 1));

  expect(cut).not.toContain(true);
});

it("says in the list of tiers what each has live and brings, and its share of first places", async () => {
  const { page } = await openAsDemo(product);

  await page.goto(`/w/${readWelcome(product).workspaceId}/tiers`);

  const sold = page.getByText(/^\d+ ads? live · \$[\d,]+\.00 a month · [\d.]+% of first places$/);
  await expect.poll(() => sold.count(), { timeout: 30_000 }).toBe(3);
});

it("marks what has to be filled in, also in the forms of prices", async () => {
  const { page } = await openAsDemo(product);
  await page.goto(`/w/${readWelcome(product).workspaceId}/tiers?edit=new`);
  await page.getByLabel("Amount").waitFor();

  for (const name of ["Name", "Weight", "Amount", "Every"]) {
    const input = page.getByRole("textbox", { name, exact: true }).first();
    expect(await input.evaluate((one: HTMLInputElement) => one.required)).toBe(true);
  }
});

it("leaves a pending ad without an empty chart", async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  const { items } = await (await page.request.get(`/v1/workspaces/${workspaceId}/ads?status=Pending`)).json();

  await page.goto(`/w/${workspaceId}/ads/${items[0].id}`);

  await page.getByRole("heading", { name: "Ad content" }).waitFor();
  await page.getByText("It hasn’t been live yet.").waitFor();
  expect(await page.getByRole("heading", { name: "Stats", exact: true }).count()).toBe(0);
});

it("filters advertisers and the audit log by what the address says", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  await page.goto(`/w/${workspaceId}/advertisers`);
  await page.getByRole("table", { name: "Advertisers" }).waitFor();
  await page.getByRole("combobox", { name: "Order" }).click();
  const sorted = page.waitForResponse((response) => /\/advertisers\?.*monthly/.test(response.url()));
  await page.getByRole("option", { name: "Highest monthly" }).click();
  await sorted;
  expect(page.url()).toContain("sort=monthly");
  await expectSound(page);

  await page.goto(`/w/${workspaceId}/audit`);
  const entries = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
  await entries.first().waitFor();
  expect(await entries.filter({ hasText: /^Payment processor/ }).count()).toBe(0);
  await expectSound(page);
  await page.goto(`/w/${workspaceId}/audit?by=processor&what=subscription.create`);
  await entries
    .filter({ hasText: /started the subscription of .+/ })
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => page.url()).not.toContain("processor");
});

it("uses the room of tablets and phones: no side bar, one row of tabs, a whole embed tag", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  await page.setViewportSize({ width: 768, height: 800 });
  await page.goto(`/w/${workspaceId}/overview`);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  const main = await page.locator("main .page").boundingBox();
  expect(main?.width).toBeGreaterThan(700);

  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`/w/${workspaceId}/settings?tab=embed`);
  const tabs = page.getByRole("tab");
  await tabs.first().waitFor();
  const tops = await tabs.evaluateAll((all) => all.map((tab) => Math.round(tab.getBoundingClientRect().top)));
  expect(new Set(tops).size).toBe(1);
  const code = page.getByLabel("2. Add where the ad should appear");
  expect(await code.evaluate((box) => box.scrollHeight <= box.clientHeight + 2)).toBe(true);
  await expectSound(page);
});

it("rings a focused input as strongly as a button, and leads to the API's documentation", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  await page.goto(`/w/${workspaceId}/settings?tab=developers`);
  const link = page.getByRole("link", { name: /^API documentation/ });
  expect(await link.getAttribute("href")).toBe("/v1/docs");
  await page.goto(`/w/${workspaceId}/settings`);
  const input = page.getByRole("textbox", { name: "Name", exact: true }).first();
  await input.focus();
  const ring = await input.evaluate((one) => getComputedStyle(one).outline);
  expect(ring).toContain("2px");
  expect(ring).toContain("solid");
});

it("shows what is wrong with a sign-up at all its inputs at once", async () => {
  const { page } = await openPage(product.origin);
  await page.goto("/sign-up");
  await page.getByLabel("Name").fill("Novak");
  await page.getByLabel("Email").fill("not an address");

  await page.getByRole("button", { name: "Create account" }).click();

  await page.getByText("Enter an email address, such as you@example.com.").waitFor();
  expect(await page.locator(".mantine-InputWrapper-error").count()).toBe(2);
});

it("writes dates as in the reader's region", async () => {
  const { page } = await openAsDemo(product, { locale: "en-GB" });
  const { workspaceId } = readWelcome(product);

  await page.goto(`/w/${workspaceId}/audit`);

  await expect
    .poll(() => page.locator("main time").first().textContent())
    .toMatch(/^\d{1,2} \w+ \d{4}, \d\d:\d\d$/);
});

it(
  "previews a tier as the advertising page shows it, with its saving and billing periods",
  LONG,
  async () => {
    const { page } = await openPage(product.origin);
    const { id } = await aNewPublisher(page);
    const { items } = await (await page.request.get(`/v1/workspaces/${id}/tiers`)).json();
    await page.request.post(`/v1/workspaces/${id}/tiers/${items[0].id}/prices`, {
      data: { amount: 1_234_000, interval: "Year", intervalCount: 1, currency: "usd" },
    });

    await page.goto(`/w/${id}/tiers?edit=${items[0].id}`);

    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("save 16%").waitFor();
    await preview.getByText("Monthly", { exact: true }).waitFor();
    await preview.getByText("Yearly", { exact: true }).waitFor();
    await expectAccessible(page);
  },
);
