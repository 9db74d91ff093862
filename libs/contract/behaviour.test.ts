import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contract } from "./contract.ts";
import { listEndpoints } from "./endpoints.ts";

/** With the path of a workspace in place of the `…` that stands for it. */
const page = readFileSync(new URL("./BEHAVIOUR.md", import.meta.url), "utf8").replaceAll(
  /(`[A-Z]+ )…/g,
  "$1/workspaces/{workspaceId}",
);
const headings = page.split("\n").filter((line) => line.startsWith("### "));
const routes = listEndpoints(contract).map(({ method, path }) => `${method} ${path}`);

it("has a heading for every endpoint, and only one", () => {
  const count = (route: string) => headings.filter((line) => line.includes(`\`${route}\``)).length;

  expect(routes.filter((route) => count(route) !== 1)).toEqual([]);
});

it("names no endpoint that is not there", () => {
  const named = [...page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]+)`/g)].map(
    ([, route = ""]) => route,
  );

  expect(named.filter((route) => !routes.includes(route))).toEqual([]);
});
