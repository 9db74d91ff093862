import { expect, it } from "vitest";
import { loadAllPages, PER_PAGE } from "./load-all-pages.ts";

const MOST = 1000;
const idOf = ({ id }: { readonly id: string }) => id;

function aListOf(total: number) {
  const asked: number[] = [];
  return {
    asked,
    loadPage: async ({ page }: { readonly page: number }) => {
      asked.push(page);
      const start = (page - 1) * PER_PAGE;
      const length = Math.min(PER_PAGE, total - start);
      const items = Array.from({ length }, (_, index) => ({ id: `ad_${start + index}` }));
      return { items, total, pageCount: Math.max(1, Math.ceil(total / PER_PAGE)) };
    },
  };
}

it("loads every page, in order", async () => {
  const { loadPage, asked } = aListOf(250);

  const { rows, total } = await loadAllPages(loadPage, idOf, MOST);

  expect(asked).toEqual([1, 2, 3]);
  expect([rows.length, rows[0]?.id, rows.at(-1)?.id, total]).toEqual([250, "ad_0", "ad_249", 250]);
});

it("sends one request for an empty list", async () => {
  const { loadPage, asked } = aListOf(0);

  expect(await loadAllPages(loadPage, idOf, MOST)).toEqual({ rows: [], total: 0 });
  expect(asked).toEqual([1]);
});

it("stops at the limit and returns the total", async () => {
  const { loadPage, asked } = aListOf(5000);

  const { rows, total } = await loadAllPages(loadPage, idOf, MOST);

  expect([asked.length, rows.length, total]).toEqual([10, MOST, 5000]);
});

it("has a row only once if it moves to the next page while loading", async () => {
  const { loadPage } = aListOf(250);

  const { rows } = await loadAllPages(async (at) => {
    const answer = await loadPage(at);
    return at.page === 1 ? answer : { ...answer, items: [{ id: "ad_99" }, ...answer.items] };
  }, idOf);

  expect(rows.filter(({ id }) => id === "ad_99")).toHaveLength(1);
});

it("asks for the largest pages, and reads page after page until the last", async () => {
  const asked: number[] = [];
  const pages = [["a", "b"], ["c"], ["d"]];

  const { rows, total } = await loadAllPages(
    async ({ page, perPage }) => {
      asked.push(page);
      expect(perPage).toBe(100);
      return { items: pages[page - 1] ?? [], pageCount: pages.length };
    },
    (row) => row,
  );

  expect([rows, total, asked]).toEqual([["a", "b", "c", "d"], 4, [1, 2, 3]]);
});
