import type { Request } from "autocannon";
import type { z } from "zod";
import type { load } from "./load.ts";

const VISITOR_ADDRESSES = 2 ** 24;

/** What one connection sends, again and again; its visitors are numbered from `firstVisitor`. */
export function requestsOf(ask: z.output<typeof load>, firstVisitor: number): Request[] {
  const { method, paths, headers, visitorsPerConnection } = ask;
  if (visitorsPerConnection === undefined) return paths.map((path) => ({ method, path, headers }));
  return Array.from({ length: visitorsPerConnection }, (_, turn) => {
    const visitor = firstVisitor + turn;
    return {
      method,
      path: paths[visitor % paths.length],
      headers: { ...headers, "x-forwarded-for": addressOf(visitor) },
    };
  });
}

/** The visitor's address in 10.0.0.0/8, another for each up to 16 million. */
export function addressOf(visitor: number): string {
  const number = visitor % VISITOR_ADDRESSES;
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}
