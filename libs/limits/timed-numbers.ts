import { ForgettingTable } from "./forgetting-table.ts";

/** Numbers of events of any time live for one to two of these, in milliseconds of real time. */
const LASTING_MS = 600_000;

/**
 * Numbers by group, key and the span of time in which an event occurred. Those of events of now expire when two later spans were
 * used. Events of any time have a table whose entries expire by real time, so that none pushes out another of another span.
 */
export class TimedNumbers {
  readonly #usual: ForgettingTable;
  readonly #lasting: ForgettingTable;

  /** As for a `ForgettingTable`; `maxKeys` holds for each of the two tables. */
  constructor(maxKeys: number, onForget: (entries: number) => void) {
    this.#usual = new ForgettingTable(maxKeys, onForget);
    this.#lasting = new ForgettingTable(maxKeys, onForget);
  }

  /** The sum of both tables. */
  sum(span: number, group: string, key: string): number {
    return (this.#usual.get(span, group, key) ?? 0) + this.#ofAnyTime(span, group, key);
  }

  /** Changes the sum. */
  add(span: number, group: string, key: string, isOfAnyTime: boolean, change: number): void {
    const before = isOfAnyTime ? this.#ofAnyTime(span, group, key) : (this.#usual.get(span, group, key) ?? 0);
    if (before + change >= 0) this.set(span, group, key, isOfAnyTime, before + change);
  }

  /** The first value that passes, of the span, of its neighbours, or of any span of now. */
  find(span: number, group: string, key: string, passes: (value: number) => boolean): number | undefined {
    const usual = this.#usual.find(group, key, passes);
    if (usual !== undefined || this.#lasting.size === 0) return usual;
    for (const near of [span, span - 1, span + 1]) {
      const found = this.#lasting.find(group, keyOf(near, key), passes);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  set(span: number, group: string, key: string, isOfAnyTime: boolean, value: number): void {
    if (!isOfAnyTime) this.#usual.set(span, group, key, value);
    else this.#lasting.set(Math.floor(performance.now() / LASTING_MS), group, keyOf(span, key), value);
  }

  /** Replaces the value, if it is `expected`. */
  replace(span: number, group: string, key: string, expected: number, value: number): void {
    this.#usual.replace(group, key, expected, value);
    this.#lasting.replace(group, keyOf(span, key), expected, value);
  }

  clear(): void {
    this.#usual.clear();
    this.#lasting.clear();
  }

  #ofAnyTime(span: number, group: string, key: string): number {
    if (this.#lasting.size === 0) return 0;
    return this.#lasting.find(group, keyOf(span, key), isAny) ?? 0;
  }
}

function keyOf(span: number, key: string): string {
  return `${span} ${key}`;
}

function isAny(): boolean {
  return true;
}
