import { NumberTable, TableKeys } from "#libs/number-table/index.ts";

interface Slot {
  span: number;
  readonly entries: NumberTable;
}

/**
 * Numbers by key and group that are forgotten by themselves: entries belong to a span of time, and the two spans used
 * last are kept. So it needs neither timers nor sweeps, late entries of the span before still meet their own, and no
 * jump of the clock can make it grow or get stuck. A span that fills up starts anew in the other slot, which is said
 * through `onForget`.
 */
export class ForgettingTable {
  readonly #mostPerSlot: number;
  readonly #onForget: (entries: number) => void;
  readonly #keys = new TableKeys();
  #young: Slot = emptySlot();
  #old: Slot = emptySlot();

  /** Holds at most `maxKeys` entries in all; `onForget` hears how many were dropped while their span was still on. */
  constructor(maxKeys: number, onForget: (entries: number) => void) {
    this.#mostPerSlot = Math.max(1, Math.floor(maxKeys / 2));
    this.#onForget = onForget;
  }

  get size(): number {
    return this.#young.entries.size + this.#old.entries.size;
  }

  /** The value that was set for the key of the group in this very span. */
  get(span: number, group: string, key: string): number | undefined {
    const value = this.#young.span === span ? this.#young.entries.get(this.#keys.of(group, key)) : undefined;
    return value === undefined && this.#old.span === span
      ? this.#old.entries.get(this.#keys.of(group, key))
      : value;
  }

  /** The first value remembered for the key of the group, of either span, that passes. */
  find(group: string, key: string, passes: (value: number) => boolean): number | undefined {
    const young = this.#young.entries.get(this.#keys.of(group, key));
    if (young !== undefined && passes(young)) return young;
    const old = this.#old.entries.get(this.#keys.of(group, key));
    return old !== undefined && passes(old) ? old : undefined;
  }

  /** Puts `value` where exactly `expected` is remembered for the key of the group, in either span. */
  replace(group: string, key: string, expected: number, value: number): void {
    for (const { entries } of [this.#young, this.#old]) {
      const tableKey = this.#keys.of(group, key);
      if (entries.get(tableKey) === expected) entries.set(tableKey, value);
    }
  }

  set(span: number, group: string, key: string, value: number): void {
    if (this.#young.span !== span) this.#turnTo(span);
    if (
      this.#young.entries.size >= this.#mostPerSlot &&
      this.#young.entries.get(this.#keys.of(group, key)) === undefined
    )
      this.#startAnew(span);
    this.#young.entries.set(this.#keys.of(group, key), value);
  }

  clear(): void {
    forget(this.#young, Number.NaN);
    forget(this.#old, Number.NaN);
  }

  #turnTo(span: number): void {
    this.#swap();
    if (this.#young.span !== span) forget(this.#young, span);
  }

  #startAnew(span: number): void {
    const { span: droppedSpan, entries } = this.#old;
    const dropped = entries.size;
    this.#swap();
    forget(this.#young, span);
    if (droppedSpan === span) this.#onForget(dropped);
  }

  #swap(): void {
    const last = this.#young;
    this.#young = this.#old;
    this.#old = last;
  }
}

function emptySlot(): Slot {
  return { span: Number.NaN, entries: new NumberTable() };
}

function forget(slot: Slot, span: number): void {
  slot.entries.clear();
  slot.span = span;
}
