import { type AddressKey, siteOf } from "./address-key.ts";

/** What one request holds in memory. */
export interface Holding {
  /** An IPv4 address, or the /48 of an IPv6 one: `holderOf`. */
  readonly holder: AddressKey;
  bytes: number;
}

/** Who is counted for what a request of the address holds. */
export function holderOf(address: AddressKey): AddressKey {
  return siteOf(address) ?? address;
}

/**
 * Bounds what all requests hold in memory together. Over the bound, the holder with the most bytes loses its oldest holding:
 * it leaves here and goes to `drop`. So no network keeps another's requests from being served.
 */
export class FairBytes<Held extends Holding> {
  readonly #mostBytes: number;
  readonly #drop: (held: Held) => void;
  /** In the order in which they began. */
  readonly #all = new Set<Held>();
  readonly #ofHolders = new Map<AddressKey, number>();
  #bytes = 0;

  constructor(mostBytes: number, drop: (held: Held) => void) {
    this.#mostBytes = mostBytes;
    this.#drop = drop;
  }

  [Symbol.iterator](): IterableIterator<Held> {
    return this.#all.values();
  }

  add(held: Held): void {
    this.#all.add(held);
    this.#count(held.holder, held.bytes);
  }

  /** Adds bytes to a holding; nothing if it has left. */
  grow(held: Held, bytes: number): void {
    if (!this.#all.has(held)) return;
    held.bytes += bytes;
    this.#count(held.holder, bytes);
  }

  /** Whether it was still here. */
  delete(held: Held): boolean {
    if (!this.#all.delete(held)) return false;
    this.#bytes -= held.bytes;
    const left = (this.#ofHolders.get(held.holder) ?? 0) - held.bytes;
    if (left > 0) this.#ofHolders.set(held.holder, left);
    else this.#ofHolders.delete(held.holder);
    return true;
  }

  #count(holder: AddressKey, bytes: number): void {
    this.#bytes += bytes;
    this.#ofHolders.set(holder, (this.#ofHolders.get(holder) ?? 0) + bytes);
    while (this.#bytes > this.#mostBytes) {
      const oldest = this.#oldestOf(this.#greatest());
      if (oldest === undefined) return;
      this.delete(oldest);
      this.#drop(oldest);
    }
  }

  #greatest(): AddressKey | undefined {
    let greatest: AddressKey | undefined;
    let most = 0;
    for (const [holder, bytes] of this.#ofHolders) {
      if (bytes <= most) continue;
      greatest = holder;
      most = bytes;
    }
    return greatest;
  }

  #oldestOf(holder: AddressKey | undefined): Held | undefined {
    for (const held of this.#all) if (held.holder === holder) return held;
    return undefined;
  }
}
