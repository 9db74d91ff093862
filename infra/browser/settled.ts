import type { Page } from "playwright-core";

const COMING = "[aria-busy=true], .mantine-Loader-root, .mantine-Skeleton-root";

/** Waits until everything that a page of the dashboard shows has come: what still loads is faint, or a skeleton. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction((selector) => document.querySelector(selector) === null, COMING);
}
