import type { EventPlace } from "#libs/domain/event-place.ts";

type Shares<Value> = readonly (readonly [Value, number])[];

const PLACEMENTS: Shares<string> = [
  ["sidebar", 0.6],
  ["article end", 0.3],
  ["", 0.1],
];
const PATHS: Shares<string> = [
  ["/", 0.35],
  ["/issues", 0.2],
  ["/issues/2026-47", 0.15],
  ["/issues/2026-46", 0.1],
  ["/about", 0.05],
  ["/tips/reading-list", 0.1],
  ["", 0.05],
];
const REFERRERS: Shares<string> = [
  ["", 0.45],
  ["www.google.com", 0.25],
  ["news.ycombinator.com", 0.12],
  ["t.co", 0.08],
  ["www.linkedin.com", 0.06],
  ["duckduckgo.com", 0.04],
];
const COUNTRIES: Shares<string> = [
  ["US", 0.34],
  ["DE", 0.2],
  ["GB", 0.14],
  ["IN", 0.12],
  ["FR", 0.08],
  ["BR", 0.05],
  ["", 0.07],
];
const CLIENTS: Shares<Pick<EventPlace, "device" | "browser">> = [
  [{ device: "desktop", browser: "Chrome" }, 0.34],
  [{ device: "phone", browser: "Safari" }, 0.24],
  [{ device: "phone", browser: "Chrome" }, 0.18],
  [{ device: "desktop", browser: "Firefox" }, 0.08],
  [{ device: "desktop", browser: "Microsoft Edge" }, 0.07],
  [{ device: "tablet", browser: "Safari" }, 0.05],
  [{ device: "unknown", browser: "" }, 0.04],
];

/** Where an invented event happened. `chance` answers numbers from 0 to 1. */
export function drawPlace(chance: () => number): EventPlace {
  return {
    placement: draw(PLACEMENTS, chance()),
    path: draw(PATHS, chance()),
    referrer: draw(REFERRERS, chance()),
    country: draw(COUNTRIES, chance()),
    ...draw(CLIENTS, chance()),
  };
}

function draw<Value>(shares: Shares<Value>, at: number): Value {
  let left = at;
  for (const [value, share] of shares) {
    if (left < share) return value;
    left -= share;
  }
  const [first] = shares;
  if (first === undefined) throw new Error("There is nothing to draw from.");
  return first[0];
}
