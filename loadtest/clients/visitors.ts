import type { z } from "zod";
import type { Question } from "#libs/testing/ask.ts";
import type { load } from "./load.ts";
import { numberedPath, numberOf } from "./numbers.ts";

const VISITOR_ADDRESSES = 2 ** 24;

type Ask = z.output<typeof load>;

/** What one connection sends, again and again, beginning with the `firstTurn`th of the requests. */
export function requestsOf(ask: Ask, firstTurn: number): Question[] {
  const { visitorsPerConnection, requestsPerConnection, mix, paths } = ask;
  const count = visitorsPerConnection ?? requestsPerConnection ?? (mix ?? paths).length;
  return Array.from({ length: count }, (_, nth) => requestAt(ask, firstTurn + nth));
}

/** The request whose turn it is; visitors are turns. */
export function requestAt(ask: Ask, turn: number): Question {
  const { method, paths, mix, numbered, visitorsPerConnection } = ask;
  const template = mix?.[turn % mix.length];
  const path = template?.path ?? paths[turn % paths.length] ?? "/";
  return {
    method: template?.method ?? method,
    path: numbered === undefined ? path : numberedPath(path, numberOf(turn, numbered)),
    headers: {
      ...ask.headers,
      ...template?.headers,
      ...(visitorsPerConnection === undefined ? {} : { "x-forwarded-for": addressOf(turn) }),
    },
    ...(template?.body === undefined ? {} : { body: template.body }),
  };
}

/** The visitor's address in 10.0.0.0/8, another for each up to 16 million. */
export function addressOf(visitor: number): string {
  const number = visitor % VISITOR_ADDRESSES;
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}
