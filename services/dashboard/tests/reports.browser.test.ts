import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openAsDemo, readWelcome } from "../../../infra/browser/demo-site.ts";
import { expectAccessible, expectNoOverflow, settled, startProduct } from "../../../infra/browser/index.ts";

const product = startProduct({ SEED: "demo", TRUST_PROXY: "127.0.0.1", COUNTRY_HEADER: "CF-IPCountry" });
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const LONG = { timeout: 240_000 };

async function openReports(search = "") {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  await page.goto(`/w/${workspaceId}/reports${search}`);
  await page.getByRole("table", { name: "Report" }).waitFor();
  return { page, table: page.getByRole("table", { name: "Report" }) };
}

async function expectSound(page: Page, name: string): Promise<void> {
  await settled(page);
  await expectAccessible(page);
  for (const width of [320, 375, 768, 1280]) {
    await expectNoOverflow(page, width);
    const shots = process.env.REPORT_SHOTS;
    if (shots === undefined) continue;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
    await page.emulateMedia({ colorScheme: null });
  }
}

it(
  "tells in three clicks which ad brought most clicks last week, and whether that is more",
  LONG,
  async () => {
    const { page, table } = await openReports();

    await page.getByText("Last week", { exact: true }).click();
    await page.getByText("Ad", { exact: true }).click();
    await table.getByRole("button", { name: "Clicks" }).click();

    await table
      .getByRole("columnheader", { name: "Clicks" })
      .and(page.locator("[aria-sort=descending]"))
      .waitFor();
    expect(new URL(page.url()).search).toBe("?period=last-week&split=ad&sort=clicks");
    const first = table.locator("tbody tr").first();
    await expect
      .poll(() => first.locator("td").nth(2).textContent())
      .toMatch(/^[\d,]+([+-][\d.,]+% from|No change)/);
    const name = (await first.getByRole("button").textContent()) ?? "";
    const file = await page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
    const [, most = ""] = (await (await page.request.get(file ?? "")).text()).split("\r\n");
    expect(most).toContain(name);
    await expectSound(page, "ads");

    await first.getByRole("button").click();
    const chip = page.getByRole("list", { name: "Filters" }).getByRole("button");
    await expect.poll(() => chip.textContent()).toBe(`Ad: ${name}`);
    await page.reload();
    await expect.poll(() => chip.textContent()).toBe(`Ad: ${name}`);
    await chip.click();
    await expect.poll(() => chip.count()).toBe(0);
  },
);

it("draws days that are over, has a table below, and the same as a file", LONG, async () => {
  const { page, table } = await openReports();
  await page.locator(".recharts-area-curve").first().waitFor({ state: "attached" });
  await page.getByText("The current day is in the table only.", { exact: false }).waitFor();
  expect(await table.locator("tbody tr").count()).toBe(25);
  await expectSound(page, "days");

  await page.getByRole("button", { name: "Page 2" }).click();
  await expect.poll(() => table.locator("tbody tr").count()).toBe(5);
  const file = await page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  const csv = await (await page.request.get(file ?? "")).text();
  expect(csv.trim().split("\r\n")).toHaveLength(31);
});

it("prints what a report says in dark letters, without navigation and controls", LONG, async () => {
  const { page, table } = await openReports("?split=ad");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await settled(page);

  const shown = (selector: string) => page.locator(selector).filter({ visible: true });
  expect(await shown("nav, header, search, main a[download]").count()).toBe(0);
  expect(await shown("main h1").textContent()).toBe("Reports");
  expect(await table.locator("tbody tr").filter({ visible: true }).count()).toBeGreaterThan(3);
  const letters = await table
    .locator("td")
    .first()
    .evaluate((cell) => getComputedStyle(cell).color);
  expect(letters).toBe("rgb(0, 0, 0)");
  if (process.env.REPORT_SHOTS !== undefined)
    await page.pdf({ path: `${process.env.REPORT_SHOTS}/print.pdf`, format: "A4" });
});

it("says that nothing was counted", LONG, async () => {
  const { page } = await openReports();
  const { workspaceId } = readWelcome(product);

  await page.goto(`/w/${workspaceId}/reports?from=2021-01-01&to=2021-01-05`);
  await page.getByRole("heading", { name: "No impressions or clicks" }).waitFor();
  await expectSound(page, "empty");
});

it("keeps the workspace's time zone, which reports then have", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  await page.goto(`/w/${workspaceId}/settings`);
  const card = page.getByRole("region", { name: "Reports" });
  const input = card.getByRole("combobox", { name: "Time zone" });
  await input.click();
  await input.fill("berlin");
  await page.getByRole("option", { name: "Europe/Berlin" }).click();
  await card.getByRole("button", { name: "Save" }).click();
  await page.getByText("Reports saved").waitFor();
  await card.getByRole("checkbox", { name: "Placement" }).check();
  await card.getByRole("checkbox", { name: "Country" }).uncheck();
  await card.getByRole("button", { name: "Save" }).click();
  await page.reload();
  await card.getByRole("checkbox", { name: "Placement", checked: true }).waitFor();
  await card.getByRole("checkbox", { name: "Country", checked: false }).waitFor();
  await expectSound(page, "settings");

  await page.goto(`/w/${workspaceId}/reports`);
  await page.getByText(/\(Europe\/Berlin\), compared/).waitFor();
});

it("shows pages and countries in words, and narrows to a page whose path has a comma", LONG, async () => {
  const { workspaceId } = readWelcome(product);
  const api = `${product.origin}/v1`;
  const served = await fetch(`${api}/workspaces/${workspaceId}/ads/serving`);
  const { ads }: { ads: { id: string }[] } = await served.json();
  for (const [page, country] of [
    ["/caf%C3%A9", "DE"],
    ["/a,b", "FR"],
    ["/a,b", "XX"],
  ]) {
    const place = new URLSearchParams({ page: `https://site.example${page}`, placement: "margin" });
    await fetch(`${api}/ads/${ads[0]?.id}/clicks?${place}`, {
      method: "POST",
      headers: {
        "user-agent": FIREFOX,
        "cf-ipcountry": country ?? "",
        "x-forwarded-for": `192.0.2.${country === "XX" ? 7 : 8}`,
      },
    });
  }
  const { page: asking } = await openAsDemo(product);
  const counted = async () => {
    const asked = "groupBy=path,country&placement[is]=margin";
    return (await (await asking.request.get(`/v1/workspaces/${workspaceId}/reports?${asked}`)).json()).total;
  };
  await expect.poll(counted, { timeout: 60_000 }).toBe(3);
  const split = "?split=path,country&sort=clicks&placement=margin";
  const { page, table } = await openReports(split);

  const cells = async () =>
    (await table.locator("tbody tr").all()).map(async (row) =>
      (await row.locator("td").allTextContents()).slice(0, 2).join(" "),
    );
  await expect
    .poll(async () => (await Promise.all(await cells())).sort(), { timeout: 20_000 })
    .toEqual(["/a,b France", "/a,b Not known", "/café Germany"]);
  await expectSound(page, "places");

  await page.getByRole("button", { name: "Add filter" }).click();
  const form = page.getByRole("form", { name: "Add filter" });
  await form.getByLabel("Condition").selectOption("is not");
  await form.getByLabel("Value").fill("fr");
  await expectSound(page, "filter");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await Promise.all(await cells())).sort(), { timeout: 20_000 })
    .toEqual(["/a,b Not known", "/café Germany"]);
  await page.getByRole("button", { name: "Country is not France, remove" }).click();
  await expect.poll(async () => (await cells()).length, { timeout: 20_000 }).toBe(3);

  await table.getByRole("button", { name: "/a,b" }).first().click();
  const chips = page.getByRole("list", { name: "Filters" }).getByRole("button");
  await expect.poll(() => chips.allTextContents()).toEqual(["Placement: margin", "Page: /a,b"]);
  await page.reload();
  await expect.poll(() => chips.allTextContents()).toEqual(["Placement: margin", "Page: /a,b"]);
  await expect.poll(async () => (await Promise.all(await cells())).length).toBe(2);
});
