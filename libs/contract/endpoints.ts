import { type AnyContractRouter, isContractProcedure } from "@orpc/contract";
import { z } from "zod";
import type { Access } from "./errors.ts";

/** One endpoint of the contract, as routing, documentation and tests need it. */
export interface Endpoint {
  /** Its path in the contract's tree: `ads.approve`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** With `{placeholders}`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** Takes an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Answers 502 when the payment processor fails. */
  readonly callsProcessor: boolean;
  /** Answers one page of a list, and continues it with `after`. */
  readonly isList: boolean;
  /** Its answer has an `ETag`; a GET can be a 304. */
  readonly isTagged: boolean;
  /** The name of the endpoint that answers in its place where `Accept` asks for CSV; null for none. */
  readonly csv: string | null;
  /** Takes `If-Match`. */
  readonly takesIfMatch: boolean;
}

/** Every endpoint below a part of the contract. Throws for one without method, path or access. */
export function listEndpoints(router: AnyContractRouter, parents: readonly string[] = []): Endpoint[] {
  return Object.entries(router).flatMap(([key, child]): Endpoint[] => {
    const names = [...parents, key];
    if (!isContractProcedure(child)) return listEndpoints(child, names);
    const { route, meta, inputSchema } = child["~orpc"];
    const name = names.join(".");
    if (!isMethod(route.method) || route.path === undefined || !isAccess(meta.access)) {
      throw new Error(`the contract's ${name} lacks a method, a path or an access rule`);
    }
    return [
      {
        name,
        method: route.method,
        path: route.path,
        access: meta.access,
        idempotent: meta.idempotent === true,
        callsProcessor: meta.callsProcessor === true,
        isList: inputSchema instanceof z.ZodObject && "after" in inputSchema.shape,
        isTagged: meta.isTagged === true,
        csv: typeof meta.csv === "string" ? meta.csv : null,
        takesIfMatch: meta.takesIfMatch === true,
      },
    ];
  });
}

function isMethod(method: string | undefined): method is Endpoint["method"] {
  return method !== undefined && ["GET", "POST", "PATCH", "PUT", "DELETE"].includes(method);
}

function isAccess(value: unknown): value is Access {
  return typeof value === "object" && value !== null && "kind" in value;
}
