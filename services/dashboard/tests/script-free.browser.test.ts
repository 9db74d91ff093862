import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { openAsDemo, readWelcome } from "../../../infra/browser/demo-site.ts";
import { expectAccessible, expectNoOverflow, openPage, startProduct } from "../../../infra/browser/index.ts";

const product = startProduct({ SEED: "demo" });

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
  const { page } = await openAsDemo(product);
  const { workspaceId } = readWelcome(product);
  await page.goto(`/w/${workspaceId}/settings?tab=tracking`);
  await page.getByLabel("utm_source").fill("example-weekly");
  await page.getByRole("button", { name: "Save parameters" }).click();
  await page.getByText("UTM parameters saved").waitFor();
  await page.goto(`/w/${workspaceId}/ads?status=Approved`);
  await page.getByRole("table").getByRole("link").first().click();
  const code = page.getByRole("region", { name: "Newsletter code" });
  await code.waitFor();
  await expectAccessible(page);
  for (const width of [320, 1440]) await expectNoOverflow(page, width);
  const snippet = (await code.textContent()) ?? "";
  await page.getByText("README", { exact: true }).click();
  const markdown = await page.getByRole("region", { name: "README code" }).textContent();

  const newsletter = await openNewsletter(snippet);
  const reader = await openPage(newsletter, {
    javaScriptEnabled: false,
    alsoFrom: [product.origin, /^https:\/\//],
  });
  const [pixel] = await Promise.all([reader.page.waitForResponse(/impression\.gif$/), reader.page.goto("/")]);
  const [arrival] = await Promise.all([
    reader.page.waitForEvent("requestfailed", (request) => request.url().startsWith("https://")),
    reader.page.getByRole("link").click(),
  ]);
  // The demo's advertisers have no sites.
  reader.expectProblems(/ERR_NAME_NOT_RESOLVED/);

  expect([pixel.status(), pixel.headers()["content-type"]]).toEqual([200, "image/gif"]);
  expect(arrival.url()).toMatch(/^https:\/\/.+[?&]utm_source=example-weekly$/);
  expect(markdown).toMatch(/^\[.+\]\(http:\/\/.+\/v1\/ads\/ad_\w+\/click\)$/);
}, 120_000);
