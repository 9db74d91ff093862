import type { Request } from "autocannon";
import type { z } from "zod";
import type { load } from "./load.ts";
import { numberedPath, numberOf } from "./numbers.ts";

const VISITOR_ADDRESSES = 2 ** 24;

/** What one connection sends, again and again, beginning with the `firstTurn`th of the requests; visitors are turns. */
export function requestsOf(ask: z.output<typeof load>, firstTurn: number): Request[] {
  const templates: Request[] =
    ask.mix ?? ask.paths.map((path) => ({ method: ask.method, path, headers: ask.headers }));
  const { visitorsPerConnection, requestsPerConnection, numbered } = ask;
  const count = visitorsPerConnection ?? requestsPerConnection ?? templates.length;
  return Array.from({ length: count }, (_, nth) => {
    const turn = firstTurn + nth;
    const { path = "/", headers, ...rest } = templates[turn % templates.length] ?? {};
    return {
      ...rest,
      path: numbered === undefined ? path : numberedPath(path, numberOf(turn, numbered)),
      headers: {
        ...ask.headers,
        ...headers,
        ...(visitorsPerConnection === undefined ? {} : { "x-forwarded-for": addressOf(turn) }),
      },
    };
  });
}

/** The visitor's address in 10.0.0.0/8, another for each up to 16 million. */
export function addressOf(visitor: number): string {
  const number = visitor % VISITOR_ADDRESSES;
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}
