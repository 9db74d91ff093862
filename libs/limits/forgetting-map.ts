/** Two levels, because making one key of two texts costs more than looking up twice. */
interface Slot<V> {
  readonly span: number;
  readonly groups: Map<string, Map<string, V>>;
  size: number;
}

/**
 * A map of keys in groups that forgets by itself: entries belong to a span of time, and the two spans used last are
 * kept. So it needs neither timers nor sweeps, late entries of the span before still meet their own, and no jump of the
 * clock can make it grow or get stuck. A span that fills up starts anew in the other slot, which is said through
 * `onForget`.
 */
export class ForgettingMap<V> {
  readonly #mostPerSlot: number;
  readonly #onForget: (entries: number) => void;
  #young: Slot<V> = emptySlot(Number.NaN);
  #old: Slot<V> = emptySlot(Number.NaN);

  /** Holds at most `maxKeys` entries in all; `onForget` hears how many were dropped while their span was still on. */
  constructor(maxKeys: number, onForget: (entries: number) => void) {
    this.#mostPerSlot = Math.max(1, Math.floor(maxKeys / 2));
    this.#onForget = onForget;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The value that was set for the key of the group in this very span. */
  get(span: number, group: string, key: string): V | undefined {
    const value = this.#young.span === span ? this.#young.groups.get(group)?.get(key) : undefined;
    return value === undefined && this.#old.span === span ? this.#old.groups.get(group)?.get(key) : value;
  }

  /** Whether a value remembered for the key of the group, of whichever span, passes. */
  some(group: string, key: string, passes: (value: V) => boolean): boolean {
    const young = this.#young.groups.get(group)?.get(key);
    if (young !== undefined && passes(young)) return true;
    const old = this.#old.groups.get(group)?.get(key);
    return old !== undefined && passes(old);
  }

  set(span: number, group: string, key: string, value: V): void {
    if (this.#young.span !== span) this.#turnTo(span);
    if (this.#young.size >= this.#mostPerSlot && !this.#young.groups.get(group)?.has(key))
      this.#startAnew(span);
    const slot = this.#young;
    let entries = slot.groups.get(group);
    if (entries === undefined) {
      entries = new Map();
      slot.groups.set(group, entries);
    }
    const before = entries.size;
    entries.set(key, value);
    slot.size += entries.size - before;
  }

  clear(): void {
    this.#young = emptySlot(Number.NaN);
    this.#old = emptySlot(Number.NaN);
  }

  #turnTo(span: number): void {
    const last = this.#young;
    this.#young = this.#old.span === span ? this.#old : emptySlot(span);
    this.#old = last;
  }

  #startAnew(span: number): void {
    const dropped = this.#old;
    this.#old = this.#young;
    this.#young = emptySlot(span);
    if (dropped.span === span) this.#onForget(dropped.size);
  }
}

function emptySlot<V>(span: number): Slot<V> {
  return { span, groups: new Map(), size: 0 };
}
