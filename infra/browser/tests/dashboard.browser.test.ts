import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { openAsDemo, readWelcome } from "../demo-site.ts";
import {
  expectAccessible,
  expectInsideCards,
  expectNoOverflow,
  openPage,
  settled,
  startProduct,
} from "../index.ts";

const product = startProduct({ SEED: "demo" });
const AUDIT = z.object({ items: z.array(z.object({ occurredAt: z.string() })) });
const NARROWEST = 320;
const WIDTHS = [NARROWEST, 360, 768, 1440];
/** For a test of many pages, one after the other. */
const LONG = { timeout: 300_000 };

const FOR_ANYBODY = [
  "/v1/docs/counting",
  "/sign-in?notice=ended",
  "/sign-up",
  "/forgot-password",
  "/reset-password?token=none",
  "/accept-invitation",
  "/accept-invitation#token=inv_none",
  "/confirm-email",
  "/confirm-email#token=none",
];
const FOR_PEOPLE = ["/welcome", "/account", "/no/such/page"];
const FOR_MEMBERS = [
  "welcome",
  "welcome?step=fields",
  "welcome?step=tag",
  "overview",
  "ads",
  "ads?q=nothing&utm_source=mail",
  "review",
  "advertisers",
  "tiers",
  "tiers?edit=new",
  "fields",
  "fields?edit=new",
  "settings",
  "settings?tab=page",
  "settings?tab=embed",
  "settings?tab=members",
  "settings?tab=payments",
  "settings?tab=tracking",
  "settings?tab=mails",
  "settings?tab=developers",
  "payments",
  "account",
  "audit",
];

/** What is wrong with the page, for axe, for its widths and within its cards; nothing where all is well. */
async function findFaults(page: Page): Promise<string[]> {
  await settled(page);
  const faults: string[] = [];
  const note = (error: Error) => faults.push(error.message);
  await expectAccessible(page).catch(note);
  for (const width of WIDTHS) await expectNoOverflow(page, width).catch(note);
  await expectInsideCards(page, NARROWEST).catch(note);
  return faults;
}

async function expectSound(page: Page, addresses: readonly string[]): Promise<void> {
  const faults: string[] = [];
  for (const address of addresses) {
    await page.goto(address);
    faults.push(...(await findFaults(page)));
  }
  expect(faults, faults.join("\n")).toEqual([]);
}

it("has pages for anybody that everybody can use, in both themes and at any width", LONG, async () => {
  const { page } = await openPage(product.origin);

  await expectSound(page, FOR_ANYBODY);
});

it("has pages for members that everybody can use, in both themes and at any width", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);

  await expectSound(page, [...FOR_PEOPLE, ...FOR_MEMBERS.map((path) => `/w/${workspaceId}/${path}`)]);
});

it("has pages of one ad, advertiser, tier and field that everybody can use", LONG, async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);

  const addresses: string[] = [];
  for (const list of ["ads", "advertisers", "tiers", "fields"]) {
    await page.goto(`/w/${workspaceId}/${list}`);
    await settled(page);
    const link = page
      .locator(`main [href*="/${list}/"], main [href*="/${list}?edit="]:not([href$="=new"])`)
      .first();
    addresses.push((await link.getAttribute("href")) ?? "");
  }

  await expectSound(page, addresses);
});

it("has menus that everybody can use, which begin with their first item", async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  await page.goto(`/w/${workspaceId}/tiers`);
  await settled(page);

  for (const name of [/Change workspace/, /Account and theme/, /^More about/]) {
    await page.getByRole("button", { name }).first().click();
    const items = page.getByRole("menu").getByRole("menuitem");
    await expect.poll(() => items.first().evaluate((one) => one === document.activeElement)).toBe(true);
    await expectAccessible(page);
    for (const width of [NARROWEST, 1440]) await expectNoOverflow(page, width);
    await page.keyboard.press("Escape");
    await items.first().waitFor({ state: "detached" });
  }
});

it("loads less than 250 KB of script, gzipped, until the overview is there, and comes without its chart", async () => {
  const { page } = await openAsDemo(product);
  const scripts: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script" || /chart/.test(response.url())) return;
    scripts.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });

  await page.goto(`/w/${readWelcome(product).workspaceId}/overview`);
  await settled(page);

  const total = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50 * 1024);
  expect(total).toBeLessThan(250 * 1024);
});

it("says within its frame that a page needs a connection, and shows the page once there is one", async () => {
  const { page, context, expectProblems } = await openAsDemo(product);
  // What was preloaded would open without a connection.
  await page.route(/advertisers-page/, (route) => route.abort());
  await page.goto(`/w/${readWelcome(product).workspaceId}/overview`);
  await settled(page);
  await context.setOffline(true);

  await page.getByRole("link", { name: "Advertisers" }).click();
  await page.getByRole("heading", { name: "You’re offline" }).waitFor();
  await page.getByRole("navigation", { name: "Workspace" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("can’t reach the server").waitFor();
  await page.unroute(/advertisers-page/);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();

  await page.getByRole("heading", { name: "Advertisers" }).waitFor();
  expectProblems(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to|AwayError/);
});

it("lists which member gets which reports by email, and keeps what is chosen", async () => {
  const { page } = await openAsDemo(product);
  await page.goto(`/w/${readWelcome(product).workspaceId}/settings?tab=mails`);
  const choice = page.getByRole("region", { name: "Reports to members" }).getByRole("combobox").first();
  await page.getByText(/^Advertisers: \d+ monthly, 0 weekly, 0 never\.$/).waitFor();
  expect(await choice.inputValue()).toBe("None");

  await choice.selectOption("Weekly and monthly");
  await page.getByText("Saved").waitFor();
  await page.reload();
  await settled(page);

  expect(await choice.inputValue()).toBe("Weekly and monthly");
});

it("has an audit log of the demo in the order of time", async () => {
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  const { items } = AUDIT.parse(
    await (
      await page.request.get(`/v1/workspaces/${workspaceId}/audit-log?actorKind=notProcessor&perPage=100`)
    ).json(),
  );

  const times = items.map(({ occurredAt }) => occurredAt);
  expect(times.length).toBeGreaterThan(10);
  expect(times).toEqual(times.toSorted().toReversed());
});
