/** The part of a tier that decides its position. */
export interface PlacedTier {
  readonly id: string;
  readonly order: number;
}

/**
 * The fewest changes of `order` that put the tiers in the given sequence, since each change is a request. The longest
 * run of rising orders with enough room between them is kept; each other tier gets the order after the one before it.
 */
export function orderChanges(wanted: readonly PlacedTier[]): PlacedTier[] {
  const staying = longestRoomyRun(wanted.map(({ order }) => order));
  const changes: PlacedTier[] = [];
  let last = -1;
  for (const [index, { id, order }] of wanted.entries()) {
    last = staying.has(index) ? order : last + 1;
    if (last !== order) changes.push({ id, order: last });
  }
  return changes;
}

/**
 * The indexes of the longest run in which each order leaves room for all tiers before it: `order - index` is at least 0
 * and never falls. Patience sorting with back links.
 */
function longestRoomyRun(orders: readonly number[]): Set<number> {
  const ends: { readonly room: number; readonly index: number }[] = [];
  const before = new Map<number, number | undefined>();
  for (const [index, order] of orders.entries()) {
    const room = order - index;
    if (room < 0) continue;
    const found = ends.findIndex((end) => end.room > room);
    const length = found === -1 ? ends.length : found;
    before.set(index, ends[length - 1]?.index);
    ends[length] = { room, index };
  }
  const run = new Set<number>();
  for (let at = ends.at(-1)?.index; at !== undefined; at = before.get(at)) run.add(at);
  return run;
}
