import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { processEnvironment } from "#libs/config/environment.ts";

/** Where the browser is: `CHROMIUM_PATH`, or Debian's package. */
const CHROMIUM = processEnvironment().CHROMIUM_PATH ?? "/usr/bin/chromium";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Docker gives 64 MB there, which a page with pictures outgrows.
  "--disable-dev-shm-usage",
];

let running: Promise<Browser> | undefined;

/**
 * Starts chromium without a window and with a fresh profile, which goes with it. Rejects with a sentence where there is
 * no chromium.
 */
async function startChromium(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `There is no chromium at ${CHROMIUM}: run infra/browser/install, or let CHROMIUM_PATH name a Chromium or Chrome.`,
    );
  }
  return await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
}

/** The browser that a test file's pages share; it ends with the worker that runs the file, or by `endChromium`. */
export function sharedChromium(): Promise<Browser> {
  running ??= startChromium();
  return running;
}

/** Ends the shared browser, if it was started. */
export async function endChromium(): Promise<void> {
  const browser = await running?.catch(() => undefined);
  running = undefined;
  await browser?.close();
}

/** What an ordinary Chrome of that version calls itself: without a window it says so, and is taken for a bot. */
export function ordinaryUserAgent(browser: Browser): string {
  const [major = "140"] = browser.version().split(".");
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
