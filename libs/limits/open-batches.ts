import { within } from "#libs/async/index.ts";
import type { TrackingLimits } from "./port.ts";

/**
 * How long duplicates wait for the end of their originals, which usually takes some milliseconds. A judge or a log that is
 * frozen gives a batch up to the spill after 250 ms each, and the spill has to write it then.
 */
export const WAIT_MS = 1_000;

const SHORTEST_OPEN_MS = 20_000;
const NONE: ReadonlySet<number> = new Set();

/** How long a batch whose outcome stays unknown is open, in milliseconds: longer than any event can be a duplicate of it. */
export function openTimeOf({ impressionWindowMs, clickWindowMs }: TrackingLimits): number {
  return Math.max(SHORTEST_OPEN_MS, 2 * impressionWindowMs, 2 * clickWindowMs);
}

/** The judged batches of this process that are neither stored nor dropped yet, by their ids. */
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

  /** Batches end roughly in the order in which they began, so those that never end are the first in the map. */
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
 * The keys of `waiting` whose batch was not stored, or has not ended within `WAIT_MS`. `outcomeOf` resolves with whether a batch
 * was stored; a rejection counts as not stored.
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
  await within(WAIT_MS, "the outcome of other batches", Promise.all(asked)).catch(() => undefined);
  return new Set([...waiting].filter(([, id]) => !stored.has(id)).map(([index]) => index));
}
