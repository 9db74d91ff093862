import { expect, it } from "vitest";
import { loadAllPages, ROWS_AT_A_TIME } from "./load-all-pages.ts";

const MOST = 1000;

function aListOf(total: number) {
  const asked: number[] = [];
  return {
    asked,
    loadPage: async (page: number) => {
      asked.push(page);
      const start = (page - 1) * ROWS_AT_A_TIME;
      const length = Math.min(ROWS_AT_A_TIME, total - start);
      const items = Array.from({ length }, (_, index) => ({ id: `ad_${start + index}` }));
      return { items, total, pageCount: Math.max(1, Math.ceil(total / ROWS_AT_A_TIME)) };
    },
  };
}

it("loads every page, in order", async () => {
  const { loadPage, asked } = aListOf(250);

  const { rows, total } = await loadAllPages(MOST, loadPage);

  expect(asked).toEqual([1, 2, 3]);
  expect([rows.length, rows[0]?.id, rows.at(-1)?.id, total]).toEqual([250, "ad_0", "ad_249", 250]);
});

it("asks once where there is nothing", async () => {
  const { loadPage, asked } = aListOf(0);

  expect(await loadAllPages(MOST, loadPage)).toEqual({ rows: [], total: 0 });
  expect(asked).toEqual([1]);
});

it("stops at the most that is wanted, and says how many there are", async () => {
  const { loadPage, asked } = aListOf(5000);

  const { rows, total } = await loadAllPages(MOST, loadPage);

  expect([asked.length, rows.length, total]).toEqual([10, MOST, 5000]);
});

it("has a row once that moves to the next page while it loads", async () => {
  const { loadPage } = aListOf(250);

  const { rows } = await loadAllPages(MOST, async (page) => {
    const answer = await loadPage(page);
    return page === 1 ? answer : { ...answer, items: [{ id: "ad_99" }, ...answer.items] };
  });

  expect(rows.filter(({ id }) => id === "ad_99")).toHaveLength(1);
});
