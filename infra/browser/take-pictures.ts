// npm run screenshots: the pictures of the README, of the demo as it is after a first start.
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { readWelcome, signIn } from "./demo-site.ts";
import { openPage, startProduct } from "./index.ts";

const FOLDER = join(import.meta.dirname, "..", "docs", "pictures");
const MOST_BYTES = 200 * 1024;
const product = startProduct({ SEED: "demo" });

interface Picture {
  readonly name: string;
  /** `WORKSPACE` is the demo's id. */
  readonly address: string;
  readonly theme?: "light" | "dark";
  readonly size?: { readonly width: number; readonly height: number };
  /** The steps from the address to the view. */
  readonly open?: (page: Page) => Promise<void>;
}

const PHONE = { width: 390, height: 780 };

const PICTURES: readonly Picture[] = [
  { name: "overview", address: "/w/WORKSPACE/overview" },
  { name: "overview-dark", address: "/w/WORKSPACE/overview", theme: "dark" },
  { name: "overview-phone", address: "/w/WORKSPACE/overview", size: PHONE },
  {
    name: "ad",
    address: "/w/WORKSPACE/ads",
    open: async (page) => {
      await page.locator('main [href*="/ads/ad_"]').first().click();
      await page.waitForURL(/\/ads\/ad_/);
    },
  },
  { name: "advertise", address: "/advertise/demo" },
  {
    name: "embed",
    address: "/demo",
    open: async (page) => page.locator("[data-placard-state=filled]").nth(3).waitFor(),
  },
];

it.each(PICTURES.map((picture) => [picture.name, picture] as const))(
  "takes %s.png",
  async (name, { address, theme = "light", size, open }) => {
    const welcome = readWelcome(product);
    const { page } = await openPage(product.origin, {
      colorScheme: theme,
      viewport: size ?? { width: 1280, height: 800 },
    });
    if (address.startsWith("/w/")) await signIn(page, welcome);
    await page.goto(address.replace("WORKSPACE", welcome.workspaceId));
    await open?.(page);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // A chart draws itself in a second, and pictures come in their own time.
    await page.waitForLoadState("networkidle");
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))),
    );
    await page.waitForTimeout(1_500);

    await mkdir(FOLDER, { recursive: true });
    const path = join(FOLDER, `${name}.png`);
    await page.screenshot({ path, animations: "disabled", caret: "hide" });

    expect((await stat(path)).size).toBeLessThan(MOST_BYTES);
  },
);
