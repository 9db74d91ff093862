import { type AnyContractRouter, isContractProcedure } from "@orpc/contract";
import type { Plugin } from "vite";
import { contract } from "#libs/contract/contract.ts";

/** Reduces the contract to methods and paths for the client, so that only pages with forms load zod and its schemas. */
export function contractRoutes(): Plugin {
  return {
    name: "placard-contract-routes",
    enforce: "pre",
    load(id) {
      if (!id.endsWith("/libs/contract/contract.ts")) return null;
      return `export const contract = ${JSON.stringify(routesOf(contract))};`;
    },
  };
}

/** The contract's tree, reduced to the JSON that requests need. */
export function routesOf(router: AnyContractRouter): unknown {
  if (isContractProcedure(router)) {
    const { method, path, inputStructure, outputStructure, successStatus } = router["~orpc"].route;
    const route = { method, path, inputStructure, outputStructure, successStatus };
    return { "~orpc": { errorMap: {}, meta: {}, route } };
  }
  return Object.fromEntries(Object.entries(router).map(([key, child]) => [key, routesOf(child)]));
}
