interface Slot<V> {
  readonly span: number;
  readonly entries: Map<string, V>;
}

/**
 * A map that forgets by itself: entries belong to a span of time, and the two spans used last are kept. So it needs
 * neither timers nor sweeps, late entries of the span before still meet their own, and no jump of the clock can make
 * it grow or get stuck. A span that fills up starts anew in the other slot, which is said through `onForget`.
 */
export class ForgettingMap<V> {
  readonly #mostPerSlot: number;
  readonly #onForget: (entries: number) => void;
  #young: Slot<V> = { span: Number.NaN, entries: new Map() };
  #old: Slot<V> = { span: Number.NaN, entries: new Map() };

  /** Holds at most `maxKeys` entries in all; `onForget` hears how many were dropped while their span was still on. */
  constructor(maxKeys: number, onForget: (entries: number) => void) {
    this.#mostPerSlot = Math.max(1, Math.floor(maxKeys / 2));
    this.#onForget = onForget;
  }

  get size(): number {
    return this.#young.entries.size + this.#old.entries.size;
  }

  /** The value that was set for the key in this very span. */
  get(span: number, key: string): V | undefined {
    const { span: youngSpan, entries } = this.#young;
    const value = youngSpan === span ? entries.get(key) : undefined;
    return value === undefined && this.#old.span === span ? this.#old.entries.get(key) : value;
  }

  /** Whether a value remembered for the key, of whichever span, passes. */
  some(key: string, passes: (value: V) => boolean): boolean {
    const young = this.#young.entries.get(key);
    if (young !== undefined && passes(young)) return true;
    const old = this.#old.entries.get(key);
    return old !== undefined && passes(old);
  }

  set(span: number, key: string, value: V): void {
    if (this.#young.span !== span) this.#turnTo(span);
    const { entries } = this.#young;
    if (entries.size >= this.#mostPerSlot && !entries.has(key)) this.#startAnew(span);
    this.#young.entries.set(key, value);
  }

  clear(): void {
    this.#young = { span: Number.NaN, entries: new Map() };
    this.#old = { span: Number.NaN, entries: new Map() };
  }

  #turnTo(span: number): void {
    const last = this.#young;
    this.#young = this.#old.span === span ? this.#old : { span, entries: new Map() };
    this.#old = last;
  }

  #startAnew(span: number): void {
    const dropped = this.#old;
    this.#old = this.#young;
    this.#young = { span, entries: new Map() };
    if (dropped.span === span) this.#onForget(dropped.entries.size);
  }
}
