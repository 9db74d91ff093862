import { type AnyContractRouter, isContractProcedure } from "@orpc/contract";
import type { Plugin } from "vite";
import { contract } from "#libs/contract/index.ts";

/**
 * Gives browsers of the contract only what the client sends requests by: methods and paths. Its schemas, and zod with
 * them, stay behind; the types are the whole contract's.
 */
export function contractRoutes(): Plugin {
  return {
    name: "placard-contract-routes",
    enforce: "pre",
    load(id) {
      if (!id.endsWith("/libs/contract/index.ts")) return null;
      return `export const contract = ${JSON.stringify(routesOf(contract))};`;
    },
  };
}

/** The tree with what a request is sent by, and with nothing but JSON. */
export function routesOf(router: AnyContractRouter): unknown {
  if (isContractProcedure(router)) {
    const { method, path, inputStructure, outputStructure, successStatus } = router["~orpc"].route;
    const route = { method, path, inputStructure, outputStructure, successStatus };
    return { "~orpc": { errorMap: {}, meta: {}, route } };
  }
  return Object.fromEntries(Object.entries(router).map(([key, child]) => [key, routesOf(child)]));
}
