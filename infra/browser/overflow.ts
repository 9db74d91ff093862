import type { Page } from "playwright-core";
import { vi } from "vitest";

const HEIGHT = 800;
const WAIT = { timeout: 5_000, interval: 50 };

/** Fails when the page, `width` pixels wide, can be scrolled sideways; names what sticks out. Leaves it that wide. */
export async function expectNoOverflow(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  // What moves to its new place is on its way for a moment, and what is drawn to measure comes only then.
  await vi.waitFor(async () => {
    const sticksOut = await page.evaluate(findStickingOut, width);
    if (sticksOut.length === 0) return;
    throw new Error([`sticks out of ${page.url()}, ${width} px wide`, ...sticksOut].join("\n"));
  }, WAIT);
}

/** Runs in the page, which has to be that wide. */
async function findStickingOut(asked: number): Promise<string[]> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  if (innerWidth !== asked) return [`the window is still ${innerWidth} px wide`];
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

/** Fails when something on a card of the dashboard, in a window `width` pixels wide, crosses the card's edge. Leaves it that wide. */
export async function expectInsideCards(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await vi.waitFor(async () => {
    const crossing = await page.evaluate(findCrossing);
    if (crossing.length === 0) return;
    throw new Error([`crosses its card at ${page.url()}, ${width} px wide`, ...crossing].join("\n"));
  }, WAIT);
}

/** Runs in the page. What can be scrolled within its card, or is cut off on purpose, does not count. */
async function findCrossing(): Promise<string[]> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const cards = [...document.querySelectorAll("main .mantine-Paper-root, header")];
  return cards.flatMap((card) => {
    const { right, bottom } = card.getBoundingClientRect();
    const isClipped = (element: Element): boolean => {
      const around = element.parentElement;
      if (around === null || around === card) return false;
      return getComputedStyle(around).overflowX !== "visible" || isClipped(around);
    };
    return [...card.querySelectorAll("*")].flatMap((element) => {
      const box = element.getBoundingClientRect();
      const isHidden = box.width <= 1 || box.height <= 1;
      if (isHidden || (box.right <= right + 1 && box.bottom <= bottom + 1) || isClipped(element)) return [];
      return [`${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.slice(0, 40)}"`];
    });
  });
}
