import { StatsStoreError } from "#libs/stats-store/errors.ts";
import type { RowRange, StatsStore } from "#libs/stats-store/port.ts";
import { splitLines } from "../event-line.ts";

/** The stats store as the protocol sees it: it refuses a whole range for one bad line, and keeps a token's first rows. */
export class MemoryStore implements Pick<StatsStore, "insertRange"> {
  readonly tokens = new Map<string, string[]>();
  readonly #isRefused: (line: string) => boolean;

  constructor(isRefused: (line: string) => boolean = () => false) {
    this.#isRefused = isRefused;
  }

  get lines(): string[] {
    return [...this.tokens.values()].flat();
  }

  insertRange({ token, rows }: RowRange): Promise<void> {
    const lines = splitLines(rows).map((line) => line.toString().trimEnd());
    if (lines.some(this.#isRefused))
      return Promise.reject(new StatsStoreError("REFUSED", "cannot parse the range"));
    if (!this.tokens.has(token)) this.tokens.set(token, lines);
    return Promise.resolve();
  }
}
