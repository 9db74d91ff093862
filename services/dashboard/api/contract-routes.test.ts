import { isContractProcedure } from "@orpc/contract";
import { expect, it } from "vitest";
import { contract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { routesOf } from "./contract-routes.ts";

it("keeps method and path of every endpoint, as JSON", () => {
  const routes: unknown = JSON.parse(JSON.stringify(routesOf(contract)));

  for (const { name, method, path } of listEndpoints(contract)) {
    const found = name.split(".").reduce(below, routes);
    expect(isContractProcedure(found), name).toBe(true);
    expect(found, name).toMatchObject({ "~orpc": { route: { method, path } } });
  }
});

function below(tree: unknown, key: string): unknown {
  return typeof tree === "object" && tree !== null ? Reflect.get(tree, key) : undefined;
}
