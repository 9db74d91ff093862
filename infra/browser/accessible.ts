import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const THEMES = ["light", "dark"] as const;
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let source: Promise<string> | undefined;

/** Fails when axe finds anything on the page as it is now, in the light theme or the dark one. */
export async function expectAccessible(page: Page): Promise<void> {
  const found: string[] = [];
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    for (const violation of await findViolations(page)) found.push(`${theme}: ${violation}`);
  }
  await page.emulateMedia({ colorScheme: null });
  if (found.length > 0) throw new Error([`axe finds at ${page.url()}`, ...found].join("\n"));
}

async function findViolations(page: Page): Promise<string[]> {
  source ??= readFile(AXE, "utf8");
  // Once a document; as an expression, because the page's CSP lets no script element in.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await source);
  const { violations } = await page.evaluate<AxeResults>(`${SETTLED}.then(() => axe.run())`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = "" }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`,
    ),
  );
}

/** The theme's colours may still be on their way to those that stay, or set out some frames later on a busy machine. */
const SETTLED = `(async () => {
  for (let still = 0; still < 5; still += 1) {
    const moving = document.getAnimations();
    if (moving.length > 0) still = 0;
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
    await new Promise(requestAnimationFrame);
  }
})()`;
