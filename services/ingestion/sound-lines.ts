import type { DeadLetter } from "#libs/event-log/port.ts";
import { StatsStoreError } from "#libs/stats-store/errors.ts";
import type { RowRange, StatsStore } from "#libs/stats-store/port.ts";
import { faultOf, splitLines } from "./event-line.ts";

/** Above so many refused lines that look sound, it is not the lines that are at fault. */
const MOST_REFUSED = 100;

/**
 * Inserts what is sound of a range that the store has refused as a whole, and returns the rest with the reasons. The
 * lines that look sound go in under the range's own token. If the store refuses them still, they are halved until the
 * ones at fault stand alone. A half that is accepted is in the store for good, so each has a token of its own, made of
 * the range's token and its line numbers: after a crash the same halves come again and are dropped as repetitions.
 *
 * Rejects `UNAVAILABLE` when the store refuses a great many lines that look sound, so that a fault of the store (a
 * missing column, say) holds ingestion up instead of emptying the log into the dead letters.
 */
export async function insertSoundLines(
  store: Pick<StatsStore, "insertRange">,
  range: RowRange,
): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  const sound: Buffer[] = [];
  for (const line of splitLines(range.rows)) {
    const reason = faultOf(line);
    if (reason === null) sound.push(line);
    else letters.push(asLetter(line, reason));
  }
  if (sound.length === 0) return letters;

  const refused: DeadLetter[] = [];
  await insertHalving(0, sound.length, range.token);
  return [...letters, ...refused];

  async function insertHalving(from: number, to: number, token: string): Promise<void> {
    try {
      await store.insertRange({ token, rows: sound.slice(from, to) });
    } catch (error) {
      if (!(error instanceof StatsStoreError) || error.code !== "REFUSED") throw error;
      if (to - from > 1) {
        const middle = Math.floor((from + to) / 2);
        await insertHalving(from, middle, `${range.token}/${from}-${middle - 1}`);
        await insertHalving(middle, to, `${range.token}/${middle}-${to - 1}`);
        return;
      }
      refused.push(...sound.slice(from, to).map((line) => asLetter(line, error.message)));
      if (refused.length > MOST_REFUSED)
        throw new StatsStoreError("UNAVAILABLE", `The store refuses sound lines: ${error.message}`, {
          cause: error,
        });
    }
  }
}

function asLetter(line: Buffer, reason: string): DeadLetter {
  return { line: line.toString("utf8").replace(/\n$/, ""), reason };
}
