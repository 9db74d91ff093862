import { ClickHouseError } from "@clickhouse/client";

/** ClickHouse's `TIMEOUT_EXCEEDED`, of a query that took longer than `max_execution_time`. */
const TOO_LONG = "159";

/**
 * Asks for all items at once, or for their halves where ClickHouse ends the query because it takes too long: so no list is too long for
 * ever, however many rows its answer is looked for in. Rejects as `ask` does, also where a single item takes too long.
 */
export async function inHalves<Item, Row>(
  items: readonly Item[],
  ask: (items: readonly Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await ask(items);
  } catch (error) {
    const canHalve = error instanceof ClickHouseError && error.code === TOO_LONG && items.length > 1;
    if (!canHalve) throw error;
  }
  const middle = items.length >> 1;
  const first = await inHalves(items.slice(0, middle), ask);
  return first.concat(await inHalves(items.slice(middle), ask));
}
