import { expect, it } from "vitest";
import type { DeclaredIcon } from "./declared-icons.ts";
import { rankIcons } from "./rank-icons.ts";

function anIcon(path: string, given: Partial<DeclaredIcon> = {}): DeclaredIcon {
  const url = new URL(path, "https://coffee.example");
  return { url, kind: "icon", size: null, type: null, isForDark: false, ...given };
}

function order(icons: readonly DeclaredIcon[]): string[] {
  return rankIcons(icons).map(({ url }) => url.pathname);
}

it("prefers what is nearest to twice the size of display, and rather larger than smaller", () => {
  const sizes = [16, 24, 32, 48, 64, 96, 128, 192, 512];

  const ranked = order(sizes.map((size) => anIcon(`/${size}`, { size })));

  expect(ranked).toEqual(["/64", "/96", "/48", "/128", "/192", "/32", "/24", "/512", "/16"]);
});

it("takes an icon of unknown size for a usual one, and a home screen's before one that is tiny", () => {
  const ranked = order([
    anIcon("/16", { size: 16 }),
    anIcon("/touch", { kind: "touch" }),
    anIcon("/unknown"),
    anIcon("/64", { size: 64 }),
  ]);

  expect(ranked).toEqual(["/64", "/unknown", "/touch", "/16"]);
});

it("prefers the better type of two sizes that are the same, then the one that is declared last", () => {
  const ranked = order([
    anIcon("/gif", { size: 32, type: "image/gif" }),
    anIcon("/first-png", { size: 32, type: "image/png" }),
    anIcon("/ico", { size: 32, type: "image/x-icon" }),
    anIcon("/last-png", { size: 32, type: "image/png" }),
  ]);

  expect(ranked).toEqual(["/last-png", "/first-png", "/ico", "/gif"]);
});

it("leaves an icon for dark surroundings for last", () => {
  expect(order([anIcon("/dark", { size: 64, isForDark: true }), anIcon("/16", { size: 16 })])).toEqual([
    "/16",
    "/dark",
  ]);
});

it("leaves out what is surely of a type that is not taken", () => {
  const ranked = order([
    anIcon("/a.svg"),
    anIcon("/b.SVGZ"),
    anIcon("/c", { type: "image/svg+xml" }),
    anIcon("/d.png", { type: "image/svg+xml;charset=utf-8" }),
    anIcon("/e", { type: "image/avif" }),
    anIcon("/f.svg", { type: "image/png" }),
    anIcon("/g", { type: "image/ico" }),
  ]);

  expect(ranked.toSorted()).toEqual(["/f.svg", "/g"]);
});
