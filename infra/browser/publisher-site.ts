import { createServer } from "node:http";
import { expect, onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import type { Input } from "./input.ts";
import { openPage } from "./page.ts";
import type { Product } from "./product.ts";

/** An ad with an image, and where a click on it leads. */
interface ShownAd {
  readonly name: string;
  /** What its card says after the name. */
  readonly says: string;
  readonly website: string;
}

/**
 * Visits a site of the publisher's, of another origin than the product, with the tag further down its page. Waits for the
 * ad, sees it, so that it reports an impression, and follows it.
 */
export async function seeAndClick(
  product: Product,
  tag: string,
  { name, says, website }: ShownAd,
  input: Input,
): Promise<void> {
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="en"><title>Example Weekly</title><link rel="icon" href="data:,"><main><h1>An article</h1><div style="height: 200vh"></div>${tag}</main>`,
    );
  });
  const port = await listenOnLoopback(site);
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  const { origin } = new URL(website);
  const { page, context } = await openPage(`http://localhost:${port}`, {
    alsoFrom: [product.origin, origin],
  });
  await context.route(`${origin}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: '<link rel="icon" href="data:,"><title>Bought</title>' }),
  );
  const ad = page.getByRole("link", { name: `${name} ${says} Sponsored` });
  // An approval is there within a second.
  const load = async () => {
    await page.goto("/");
    await page.locator("[data-placard-state=filled], [data-placard-state=empty]").waitFor();
    return await ad.locator("img").count();
  };
  await expect.poll(load, { interval: 500 }).toBe(1);

  const seen = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith("/impressions"));
  await ad.scrollIntoViewIfNeeded();
  expect(await (await seen).json()).toEqual({ success: true });
  const landing = context.waitForEvent("page");
  await input.press(ad);
  await (await landing).waitForURL(website);
}
