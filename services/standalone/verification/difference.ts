/** What was compared with what. */
export const KINDS = ["counts", "ads", "event log", "uploads", "stores"] as const;
export type Kind = (typeof KINDS)[number];

/** Something that one store has and another has not. */
export interface Difference {
  /** The same on a second look, when nothing has changed meanwhile. */
  readonly signature: string;
  /** One sentence for people. */
  readonly message: string;
}

/** Held of one comparison; what comes after is not looked at any more. */
export const MOST_HELD = 1_000;

/** The differences, each once, and at most `MOST_HELD`: the comparison is ended there. */
export async function collect(differences: AsyncIterable<Difference>): Promise<Difference[]> {
  const held = new Map<string, Difference>();
  for await (const difference of differences) {
    held.set(difference.signature, difference);
    if (held.size >= MOST_HELD) break;
  }
  return [...held.values()];
}
