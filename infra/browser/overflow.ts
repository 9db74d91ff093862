import type { Page } from "playwright-core";

const HEIGHT = 800;
const WAIT = { timeout: 5_000 };

/** Fails when the page, `width` pixels wide, can be scrolled sideways; names what sticks out. Leaves it that wide. */
export async function expectNoOverflow(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  const deadline = performance.now() + WAIT.timeout;
  let sticksOut: string[];
  // What moves to its new place is on its way for a moment, and what is drawn to measure comes only then.
  do {
    await page
      .waitForFunction(
        (asked) => innerWidth === asked && document.documentElement.scrollWidth <= innerWidth,
        width,
        WAIT,
      )
      .catch(() => {});
    sticksOut = await page.evaluate(findStickingOut);
  } while (sticksOut.length > 0 && performance.now() < deadline);
  if (sticksOut.length === 0) return;
  throw new Error([`sticks out of ${page.url()}, ${width} px wide`, ...sticksOut].join("\n"));
}

/** Runs in the page. */
async function findStickingOut(): Promise<string[]> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];

  const wide = [...document.querySelectorAll("body *")].filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return width > 0 && right > root.clientWidth + 1;
  });
  // The innermost ones: what is around them is wide only because they are.
  const innermost = wide.filter(
    (element) => !wide.some((other) => other !== element && element.contains(other)),
  );
  const names = innermost.slice(0, 10).map((element) => {
    const { right } = element.getBoundingClientRect();
    return `${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.slice(0, 40)}" ends at ${Math.round(right)}`;
  });
  return names.length > 0 ? names : [`the page is ${root.scrollWidth} px wide`];
}
