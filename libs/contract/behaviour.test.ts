import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contract } from "./contract.ts";
import { listEndpoints } from "./endpoints.ts";

const page = readFileSync(new URL("./BEHAVIOUR.md", import.meta.url), "utf8");
const routes = listEndpoints(contract).map(({ method, path }) => `${method} ${path}`);

it("has a promise of every endpoint", () => {
  expect(routes.filter((route) => !page.includes(`\`${route}\``))).toEqual([]);
});

it("names no endpoint that is not there", () => {
  const named = [...page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]+)`/g)].map(
    ([, route = ""]) => route,
  );

  expect(named.filter((route) => !routes.includes(route))).toEqual([]);
});
