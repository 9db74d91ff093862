/** The comparisons, as `npm run verify` names them. */
export const KINDS = ["counts", "ads", "event log", "uploads", "stores"] as const;
export type Kind = (typeof KINDS)[number];

/** Something that one store has and another lacks. */
export interface Difference {
  /** Identifies the difference, so that a second look can tell whether it is still the same. */
  readonly signature: string;
  /** One sentence for people. */
  readonly message: string;
}

/** A comparison stops after this many differences. */
export const MOST_HELD = 1_000;

/** Runs a comparison until it has `MOST_HELD` differences, and returns each once. */
export async function collect(differences: AsyncIterable<Difference>): Promise<Difference[]> {
  const held = new Map<string, Difference>();
  for await (const difference of differences) {
    held.set(difference.signature, difference);
    if (held.size >= MOST_HELD) break;
  }
  return [...held.values()];
}
