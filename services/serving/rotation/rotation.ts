import { isWithin } from "#libs/domain/eligibility.ts";
import { MOST_ADS, MOST_ANSWER_BYTES, MOST_EXCLUDED } from "#libs/domain/serving-limits.ts";
import { WINDOW_MS, windowAt } from "../answers/window.ts";
import { measureAd, type PreparedAd, type PreparedSnapshot } from "../directory/prepared-snapshot.ts";
import type { ServingFilter, ServingQuery } from "./serving-query.ts";
import { createSeed, orderByWeight } from "./weighted-order.ts";

/** No request reads further down an order than this, so no more of it is kept. */
const REACH = MOST_ADS + MOST_EXCLUDED;
/** Orders kept per period. A page has a handful of slots; an order for one more filter is drawn for each answer. */
const MAX_ORDERS = 16;

/** The time in which a snapshot's eligible ads, and so the answers to all queries, stay the same. */
export interface RotationPeriod {
  /** In milliseconds, included. */
  readonly starts: number;
  /** In milliseconds, excluded: the end of the window, or of the first ad that ends before. */
  readonly ends: number;
  readonly window: number;
  readonly eligible: readonly PreparedAd[];
  readonly orders: Map<string, readonly PreparedAd[]>;
}

export function periodAt(snapshot: PreparedSnapshot, now: number): RotationPeriod {
  const window = windowAt(now);
  let starts = window * WINDOW_MS;
  let ends = starts + WINDOW_MS;
  for (const { servingUntil } of snapshot.ads) {
    if (servingUntil === null) continue;
    if (servingUntil > now) ends = Math.min(ends, servingUntil);
    else starts = Math.max(starts, servingUntil);
  }
  const eligible = snapshot.ads.filter((ad) =>
    isWithin({ since: ad.servingSince, until: ad.servingUntil }, now),
  );
  return { starts, ends, window, eligible, orders: new Map() };
}

/**
 * The ads that answer the query in this period, in order. The order is drawn from the secret, the window, the
 * workspace and the filters, never from count and exclusions: a shorter list is the start of a longer one. The list ends
 * before an ad with which it would take more than `MOST_ANSWER_BYTES`, unless that is the first.
 */
export function rotate(
  snapshot: PreparedSnapshot,
  period: RotationPeriod,
  query: ServingQuery,
  secret: string,
): PreparedAd[] {
  const order = period.orders.get(query.filter.key) ?? drawOrder(snapshot, period, query.filter, secret);
  const chosen: PreparedAd[] = [];
  let bytes = 0;
  for (const ad of order) {
    if (chosen.length === query.count) break;
    if (query.excludeIds.has(ad.id)) continue;
    bytes += measureAd(ad).bytes;
    if (bytes > MOST_ANSWER_BYTES && chosen.length > 0) break;
    chosen.push(ad);
  }
  return chosen;
}

function drawOrder(
  snapshot: PreparedSnapshot,
  period: RotationPeriod,
  filter: ServingFilter,
  secret: string,
): readonly PreparedAd[] {
  const seed = createSeed(secret, [period.window, snapshot.workspaceId, filter.key]);
  const matching = period.eligible.filter((ad) => passes(ad, filter));
  // Made-up filters do not push out the order that most pages ask for, which has none.
  const isPlain = filter.tierIds === null && filter.weightGte === null && filter.weightLt === null;
  const isKept = isPlain || period.orders.size < MAX_ORDERS;
  const order = orderByWeight(matching, seed, REACH);
  if (isKept) period.orders.set(filter.key, order);
  return order;
}

function passes(ad: PreparedAd, { tierIds, weightGte, weightLt }: ServingFilter): boolean {
  if (tierIds !== null && !tierIds.has(ad.tierId)) return false;
  if (weightGte !== null && ad.weight < weightGte) return false;
  return weightLt === null || ad.weight < weightLt;
}
