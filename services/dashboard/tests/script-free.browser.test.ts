import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { adStats } from "#libs/contract/ad.ts";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { expectAccessible, expectNoOverflow, openPage, startProduct } from "../../../infra/browser/index.ts";
import { aSoldAd, call, ownWorkspace } from "./publisher.ts";

const product = startProduct();
const NAME = 'Quagga "& Co" <b>bold</b> {{ email }} *|FNAME|* [x](y) ]]>';
const ADVERTISER = "https://quagga.example";

/** The newsletter as the mail's reader sees it, on an origin of its own. */
async function openNewsletter(snippet: string): Promise<string> {
  const page = `<!doctype html><html lang="en"><title>Weekly</title><link rel="icon" href="data:,"><p>This week: ${snippet}</p>`;
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);
  });
  const origin = `http://localhost:${await listenOnLoopback(site)}`;
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  return origin;
}

it("gives a publisher a link for their newsletter, which counts in a page without script and leads to the advertiser", async () => {
  const { page, context } = await openPage(product.origin);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const workspaceId = await ownWorkspace(page, "Example Weekly");
  const { adId } = await aSoldAd(page, workspaceId, "usd", NAME);
  const adPath = `/v1/workspaces/${workspaceId}/ads/${adId}`;
  await call(page, `${adPath}/approve`);
  await page.goto(`/w/${workspaceId}/settings?tab=tracking`);
  await page.getByLabel("utm_source").fill("example-weekly");
  await page.getByRole("form", { name: "UTM parameters" }).getByRole("button", { name: "Save" }).click();
  await page.getByText("UTM parameters saved").waitFor();

  await page.goto(`/w/${workspaceId}/ads/${adId}`);
  const codes: Record<string, string> = {};
  for (const place of ["Newsletter", "Feed", "README"]) {
    await page.getByText(place, { exact: true }).click();
    const code = page.getByRole("region", { name: `${place} code` });
    await code.waitFor();
    await expectAccessible(page);
    for (const width of [320, 1440]) await expectNoOverflow(page, width);
    const copied = page.getByText("Copied", { exact: true });
    await page.getByRole("button", { name: "Copy code" }).click();
    await copied.last().waitFor();
    // The notice may be that of the place before.
    const text = (await code.textContent()) ?? "";
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    codes[place] = text;
  }
  const entry = await page.evaluate((description) => {
    const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title><item>${description}</item></channel></rss>`;
    const xml = new DOMParser().parseFromString(feed, "text/xml");
    const text = xml.querySelector("item > description")?.textContent ?? "";
    const body = new DOMParser().parseFromString(text, "text/html");
    const link = body.querySelector("a");
    return [link?.textContent, link?.getAttribute("href"), body.querySelector("img")?.getAttribute("src")];
  }, codes.Feed ?? "");

  const newsletter = await openNewsletter(codes.Newsletter ?? "");
  const reader = await openPage(newsletter, {
    javaScriptEnabled: false,
    alsoFrom: [product.origin, ADVERTISER],
  });
  const [pixel] = await Promise.all([reader.page.waitForResponse(/impression\.gif$/), reader.page.goto("/")]);
  const [arrival] = await Promise.all([
    reader.page.waitForEvent("requestfailed", (request) => request.url().startsWith(ADVERTISER)),
    reader.page.getByRole("link", { name: NAME, exact: true }).click(),
  ]);
  // The advertiser has no site, which Chromium asks for again and again until the page is closed.
  await expect.poll(() => reader.problems).toContainEqual(expect.stringMatching(/^failed: .+quagga/));
  await reader.page.close();
  reader.expectProblems(/ERR_NAME_NOT_RESOLVED/);

  const link = `${product.origin}/v1/ads/${adId}`;
  expect([pixel.status(), pixel.headers()["content-type"]]).toEqual([200, "image/gif"]);
  expect(arrival.url()).toBe(`${ADVERTISER}/?utm_source=example-weekly`);
  expect(entry).toEqual([NAME, `${link}/click`, `${link}/impression.gif`]);
  expect(codes.README).toMatch(/^\[.+\]\(http:\/\/.+\/v1\/ads\/ad_\w+\/click\)$/);
  await expect
    .poll(async () => adStats.parse(await (await page.request.get(`${adPath}/stats?days=2`)).json()).totals)
    .toMatchObject({ impressions: 1, clicks: 1 });
}, 240_000);

it("shows a person a page that reads well where a link leads nowhere any more", async () => {
  const { page, expectProblems } = await openPage(product.origin);
  await page.goto("/v1/ads/ad_01kahm4sw4fksra52s8bd8xkd1/click");
  // That the page is missing is what it says.
  expectProblems(/404/);

  await page.getByRole("heading", { name: "This ad is no longer here" }).waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page, 320);
});

it("tells a publisher who asks for proof that these links do not count, and asks for it by one switch", async () => {
  const { page } = await openPage(product.origin);
  const workspaceId = await ownWorkspace(page, "Proving Weekly");
  const { adId } = await aSoldAd(page, workspaceId, "usd", "Example Coffee");
  await call(page, `/v1/workspaces/${workspaceId}/ads/${adId}/approve`);
  const note = page.getByText("Your settings count only events with proof");
  const toggle = page.getByLabel("Count only events with proof");
  const openAd = async () => {
    await page.goto(`/w/${workspaceId}/ads/${adId}`);
    await page.getByRole("region", { name: "Newsletter code" }).waitFor();
  };

  await openAd();
  expect(await note.count()).toBe(0);
  await page.goto(`/w/${workspaceId}/settings?tab=tracking`);
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === "PATCH"),
    toggle.click(),
  ]);
  await expectAccessible(page);
  for (const width of [320, 1440]) await expectNoOverflow(page, width);
  await page.reload();
  await toggle.waitFor();
  expect(await toggle.isChecked()).toBe(true);
  await openAd();
  await note.waitFor();
});
