import { isWithin } from "#libs/domain/eligibility.ts";
import type { PreparedAd, PreparedSnapshot } from "./prepared-snapshot.ts";
import { MAX_COUNT, MAX_EXCLUDED, type ServingFilter, type ServingQuery } from "./serving-query.ts";
import { createSeed } from "./unit-draw.ts";
import { orderByWeight } from "./weighted-order.ts";

const WINDOW_MS = 60_000;
/** No request sees further down an order than this, so no more of it is kept. */
const REACH = MAX_COUNT + MAX_EXCLUDED;
/** Orders kept a turn. A page has a handful of slots; whoever tries more filters pays with an order made anew. */
const MAX_ORDERS = 16;

/** The stretch of time in which a snapshot's eligible ads, and so the answers to all queries, stay the same. */
export interface Turn {
  /** In milliseconds, included. */
  readonly begins: number;
  /** In milliseconds, not included: the end of the window, or before it the next ad's end. */
  readonly ends: number;
  readonly window: number;
  readonly eligible: readonly PreparedAd[];
  readonly orders: Map<string, readonly PreparedAd[]>;
}

/** The 60-second window that `now` lies in. */
export function windowAt(now: number): number {
  return Math.floor(now / WINDOW_MS);
}

/** The turn that `now` lies in. */
export function turnAt(snapshot: PreparedSnapshot, now: number): Turn {
  const window = windowAt(now);
  let begins = window * WINDOW_MS;
  let ends = begins + WINDOW_MS;
  for (const { servingUntil } of snapshot.ads) {
    if (servingUntil === null) continue;
    if (servingUntil > now) ends = Math.min(ends, servingUntil);
    else begins = Math.max(begins, servingUntil);
  }
  const eligible = snapshot.ads.filter((ad) =>
    isWithin({ since: ad.servingSince, until: ad.servingUntil }, now),
  );
  return { begins, ends, window, eligible, orders: new Map() };
}

/**
 * The ads that answer the query in this turn, first place first. The order is drawn from the secret, the window, the
 * workspace and the filters, never from count and exclusions: a shorter list is the head of a longer one.
 */
export function rotate(
  snapshot: PreparedSnapshot,
  turn: Turn,
  query: ServingQuery,
  secret: string,
): PreparedAd[] {
  const order = turn.orders.get(query.filter.key) ?? drawOrder(snapshot, turn, query.filter, secret);
  const chosen: PreparedAd[] = [];
  for (const ad of order) {
    if (chosen.length === query.count) break;
    if (!query.excludeIds.has(ad.id)) chosen.push(ad);
  }
  return chosen;
}

function drawOrder(
  snapshot: PreparedSnapshot,
  turn: Turn,
  filter: ServingFilter,
  secret: string,
): readonly PreparedAd[] {
  const seed = createSeed(secret, [turn.window, snapshot.workspaceId, filter.key]);
  const matching = turn.eligible.filter((ad) => passes(ad, filter));
  const order = orderByWeight(matching, seed).slice(0, REACH);
  if (turn.orders.size < MAX_ORDERS) turn.orders.set(filter.key, order);
  return order;
}

function passes(ad: PreparedAd, { tierIds, weightGte, weightLt }: ServingFilter): boolean {
  if (tierIds !== null && !tierIds.has(ad.tierId)) return false;
  if (weightGte !== null && ad.weight < weightGte) return false;
  return weightLt === null || ad.weight < weightLt;
}
