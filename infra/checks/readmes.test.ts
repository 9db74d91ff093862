import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const files = globSync("{*,{infra,libs,loadtest,services}/**/*}", { cwd: root });
const pages = files.filter((file) => file.endsWith(".md"));

/** What the pattern's group finds, each with the page that it is on. */
function findOnPages(pattern: RegExp): { page: string; found: string }[] {
  return pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(pattern)].map(([, found = ""]) => ({ page, found })),
  );
}

it("has a README in each folder of services and libs", () => {
  const folders = globSync("{libs,services}/*/", { cwd: root });

  expect(folders.length).toBeGreaterThan(20);
  expect(folders.filter((folder) => !files.includes(join(folder, "README.md")))).toEqual([]);
});

it("links from page to page, and to nothing that is not there", () => {
  const links = findOnPages(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g);

  expect(links.length).toBeGreaterThan(0);
  expect(links.filter(({ page, found }) => !existsSync(resolve(root, dirname(page), found)))).toEqual([]);
});

it("names no file on its pages that is not there", () => {
  const names = findOnPages(/`((?!\S*NNNN)[\w./-]+\.(?:ts|tsx|sh|sql|md))`/g);

  expect(names.length).toBeGreaterThan(100);
  expect(names.filter(({ found }) => !files.some((file) => `/${file}`.endsWith(`/${found}`)))).toEqual([]);
});

/** Pages that still have wider tables. */
const WIDE = [
  "loadtest/report.md",
  ...["exactly-once", "privacy", "scaling"].map((name) => `infra/docs/${name}.md`),
];

it("has no line on its pages that is longer than 140 characters", () => {
  const long = findOnPages(/^(.{141,})$/gm).filter(({ page }) => !WIDE.includes(page));

  expect(long).toEqual([]);
});
