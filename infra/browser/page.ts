import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { endChromium, ordinaryUserAgent, sharedChromium } from "./chromium.ts";
import { watchProblems } from "./problems.ts";

export interface PageOptions extends BrowserContextOptions {
  /** Further origins that the page may ask, such as those of advertisers' sites. */
  readonly alsoFrom?: readonly (string | RegExp)[];
}

/** A page in its own context, as for a new visitor. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong so far and was not expected, a line each. */
  readonly problems: readonly string[];
  /** Takes the problems that match, for a test that means to cause them; fails where there is none. */
  expectProblems(pattern: RegExp): void;
}

/** For an answer of our own server on the loopback; what takes longer does not come. */
const WAIT_MS = 30_000;

/**
 * Opens a page in a fresh context; relative addresses are below `origin`. After the test the context is closed, and the
 * test fails if there were problems in any of its pages: on the console, thrown, CSP, failed or third-party requests.
 */
export async function openPage(origin: string, options: PageOptions = {}): Promise<OpenedPage> {
  const { alsoFrom = [], ...contextOptions } = options;
  const browser = await sharedChromium();
  const context = await browser.newContext({
    baseURL: origin,
    userAgent: ordinaryUserAgent(browser),
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    timezoneId: "UTC",
    // What moves is looked at while it moves, and its contrast is then any.
    reducedMotion: "reduce",
    ...contextOptions,
  });
  context.setDefaultTimeout(WAIT_MS);
  const problems = await watchProblems(context, [origin, ...alsoFrom]);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") await keepPictures(context, task.id);
    await context.close();
    expect(problems, "problems of the page").toEqual([]);
  });

  return {
    page: await context.newPage(),
    context,
    problems,
    expectProblems(pattern) {
      const others = problems.filter((problem) => !pattern.test(problem));
      expect(problems.length, `problems like ${pattern}`).toBeGreaterThan(others.length);
      problems.splice(0, problems.length, ...others);
    },
  };
}

/** What a failed test last saw, in the folder for temporary files. */
async function keepPictures(context: BrowserContext, testId: string): Promise<void> {
  for (const [index, page] of context.pages().entries()) {
    const path = join(tmpdir(), "placard-failed", `${testId}-${Date.now()}-${index}.png`);
    const isKept = await page.screenshot({ path, timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (isKept) console.error(`${page.url()} looked like ${path}`);
  }
}

afterAll(endChromium);
