/** A field and its target position in the final list, from 0. */
export interface FieldMove {
  readonly id: string;
  readonly order: number;
}

/**
 * All ids in their new order. The mentioned are placed by ascending target into the unmentioned, which keep their
 * relative order; equal targets keep the order of mention, and a target beyond the end is the end. An id's new `order`
 * is its index. Throws `RangeError` for an id that is not in `current`, or is mentioned twice.
 */
export function reorderFields(current: readonly string[], moves: readonly FieldMove[]): string[] {
  const mentioned = new Set(moves.map(({ id }) => id));
  if (mentioned.size < moves.length) throw new RangeError("An id is mentioned twice.");
  const known = new Set(current);
  if (moves.some(({ id }) => !known.has(id))) throw new RangeError("An id is not in the list.");

  const staying = current.filter((id) => !mentioned.has(id));
  // Sorting is stable, so equal targets stay as mentioned.
  const moving = moves.toSorted((a, b) => a.order - b.order);
  const result: string[] = [];
  let stayed = 0;
  for (const { id, order } of moving) {
    const before = staying.slice(stayed, stayed + Math.max(0, order - result.length));
    stayed += before.length;
    result.push(...before, id);
  }
  return [...result, ...staying.slice(stayed)];
}
