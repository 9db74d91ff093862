import { expect, it } from "vitest";
import { readAllPages } from "./all-pages.ts";

it("reads page after page until the last", async () => {
  const asked: number[] = [];
  const pages = [["a", "b"], ["c"], ["d"]];

  const items = await readAllPages(async ({ page, perPage }) => {
    asked.push(page);
    expect(perPage).toBe(100);
    return { items: pages[page - 1] ?? [], pageCount: pages.length };
  });

  expect([items, asked]).toEqual([
    ["a", "b", "c", "d"],
    [1, 2, 3],
  ]);
});
