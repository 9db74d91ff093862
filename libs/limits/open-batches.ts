import type { TrackingLimits } from "./port.ts";

/** How long duplicates wait for the end of their originals, which usually takes some milliseconds. */
export const WAIT_MS = 250;

const SHORTEST_OPEN_MS = 20_000;
const NONE: ReadonlySet<number> = new Set();

/** For how long a batch of unknown end counts as open, in milliseconds: longer than anything is a duplicate of it. */
export function openTimeOf({ impressionWindowMs, clickWindowMs }: TrackingLimits): number {
  return Math.max(SHORTEST_OPEN_MS, 2 * impressionWindowMs, 2 * clickWindowMs);
}

/** Batches of this process that were judged and whose storing has not ended, by their ids. */
export class OpenBatches<Id> {
  readonly #open = new Map<Id, OpenBatch>();

  has(id: Id): boolean {
    return this.#open.has(id);
  }

  get size(): number {
    return this.#open.size;
  }

  /** After `untilMs`, by the clock of `performance.now()`, nobody asks about the batch any more. */
  begin(id: Id, untilMs: number): void {
    this.forgetThoseOver();
    this.#open.set(id, { untilMs, end: Promise.withResolvers() });
  }

  end(id: Id, isStored: boolean): void {
    this.#open.get(id)?.end.resolve(isStored);
    this.#open.delete(id);
  }

  /** Whether the batch was stored, once that is known; null for a batch that is not open here. */
  outcomeOf(id: Id): Promise<boolean> | null {
    return this.#open.get(id)?.end.promise ?? null;
  }

  /** Batches end about in the order in which they began; those that never end are what is in front. */
  forgetThoseOver(): void {
    const now = performance.now();
    for (const [id, { untilMs }] of this.#open) {
      if (untilMs > now) return;
      this.#open.delete(id);
    }
  }
}

interface OpenBatch {
  readonly untilMs: number;
  readonly end: PromiseWithResolvers<boolean>;
}

/**
 * The keys of those whose batch was not stored, or has not ended within `WAIT_MS`. `outcomes` has what becomes of each
 * batch; a rejection counts as not stored.
 */
export async function whichAreLost<Id>(
  waiting: ReadonlyMap<number, Id>,
  outcomeOf: (id: Id) => Promise<boolean>,
): Promise<ReadonlySet<number>> {
  if (waiting.size === 0) return NONE;
  const ids = [...new Set(waiting.values())];
  const stored = new Set<Id>();
  const asked = ids.map(async (id) => {
    if (await outcomeOf(id).catch(() => false)) stored.add(id);
  });
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, WAIT_MS);
  await Promise.race([Promise.all(asked), late]);
  clearTimeout(timer);
  return new Set([...waiting].filter(([, id]) => !stored.has(id)).map(([index]) => index));
}
