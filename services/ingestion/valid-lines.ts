import type { DeadLetter } from "#libs/event-log/index.ts";
import { type RowRange, type StatsStore, StatsStoreError } from "#libs/stats-store/index.ts";
import { invalidityOf, splitLines } from "./event-line.ts";

/** Above this many refused lines that look valid, the store is at fault and not the lines. */
const MAX_REFUSED = 100;

/**
 * Inserts the valid lines of a range that the store has refused, and returns the others with the reasons. Lines that look
 * valid are inserted under the range's own token. If the store refuses them again, they are halved until each refused line
 * is alone. An accepted half stays in the store, so each half has its own token, of the range's token and its line numbers:
 * after a crash the same halves are inserted again and dropped as repetitions.
 *
 * Rejects with `UNAVAILABLE` when the store refuses many lines that look valid, so that a fault of the store (a missing
 * column, for example) blocks ingestion instead of moving the log to the dead letters.
 */
export async function insertValidLines(
  store: Pick<StatsStore, "insertRange">,
  range: RowRange,
): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  const valid: Buffer[] = [];
  for (const line of splitLines(range.rows)) {
    const reason = invalidityOf(line);
    if (reason === null) valid.push(line);
    else letters.push(asDeadLetter(line, reason));
  }
  if (valid.length === 0) return letters;

  const refused: DeadLetter[] = [];
  await insertHalving(0, valid.length, range.token);
  return [...letters, ...refused];

  async function insertHalving(from: number, to: number, token: string): Promise<void> {
    try {
      await store.insertRange({ token, rows: valid.slice(from, to) });
    } catch (error) {
      if (!(error instanceof StatsStoreError) || error.code !== "REFUSED") throw error;
      if (to - from > 1) {
        const middle = Math.floor((from + to) / 2);
        await insertHalving(from, middle, `${range.token}/${from}-${middle - 1}`);
        await insertHalving(middle, to, `${range.token}/${middle}-${to - 1}`);
        return;
      }
      refused.push(...valid.slice(from, to).map((line) => asDeadLetter(line, error.message)));
      if (refused.length > MAX_REFUSED)
        throw new StatsStoreError("UNAVAILABLE", `The store refuses valid lines: ${error.message}`, {
          cause: error,
        });
    }
  }
}

function asDeadLetter(line: Buffer, reason: string): DeadLetter {
  return { line: line.toString("utf8").replace(/\n$/, ""), reason };
}
