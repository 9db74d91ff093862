import { expect, it, vi } from "vitest";
import { collect, type Difference, MOST_HELD, reportLines } from "./difference.ts";
import { settle } from "./verify.ts";

const called = (...names: string[]): Difference[] =>
  names.map((name) => ({ signature: name, message: `${name} differs.` }));

/** Looks that find these, one after the other, and the pauses between them. */
async function settled(...looks: string[][]) {
  const pause = vi.fn(async () => undefined);
  const left = [...looks];
  const found = await settle(async () => called(...(left.shift() ?? [])), pause);
  return { found: found.map(({ signature }) => signature), looks: looks.length - left.length };
}

it("looks once where nothing differs", async () => {
  expect(await settled([])).toEqual({ found: [], looks: 1 });
});

it("reports what is still there on the second look, and not what has gone", async () => {
  expect(await settled(["a", "b"], ["b"])).toEqual({ found: ["b"], looks: 2 });
  expect(await settled(["a"], [])).toEqual({ found: [], looks: 2 });
});

it("looks again for what is new, and reports it once it stays", async () => {
  expect(await settled(["a"], ["a", "b"], ["a", "b"])).toEqual({ found: ["a", "b"], looks: 3 });
});

it("does not report what is another difference on every look, and ends", async () => {
  expect(await settled(["a", "1"], ["a", "2"], ["a", "3"], ["a", "4"], ["a", "5"])).toEqual({
    found: ["a"],
    looks: 4,
  });
});

it("holds a bounded number of differences, and looks no further", async () => {
  const looked = vi.fn();
  async function* many() {
    for (let index = 0; ; index += 1) {
      looked();
      yield* called(`difference ${index}`);
    }
  }

  expect(await collect(many())).toHaveLength(MOST_HELD);
  expect(looked).toHaveBeenCalledTimes(MOST_HELD);
});

it("prints a line per difference, 50 at most, and how many more there are", () => {
  const many = called(...Array.from({ length: 60 }, (_, index) => `number ${index}`));

  expect(reportLines("ads", [])).toEqual(["ads: no differences"]);
  expect(reportLines("ads", called("one"))).toEqual(["ads: 1 difference", "  one differs."]);
  const lines = reportLines("counts", many);
  expect(lines).toHaveLength(52);
  expect([lines[0], lines[50], lines[51]]).toEqual([
    "counts: 60 differences",
    "  number 49 differs.",
    "  … and 10 more.",
  ]);
  const full = called(...Array.from({ length: MOST_HELD }, (_, index) => `number ${index}`));
  expect(reportLines("counts", full)[0]).toBe("counts: 1000 differences or more");
});
