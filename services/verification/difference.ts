/** The comparisons, as `npm run operate:verify` names them. */
export type Kind = "counts" | "ads" | "event log" | "uploads" | "stores" | "judgements";

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

const MOST_SHOWN = 50;

/** The lines about one comparison: its differences, at most 50 of them, and how many more there are. */
export function reportLines(kind: Kind, differences: readonly Difference[]): string[] {
  if (differences.length === 0) return [`${kind}: no differences`];
  const count = differences.length >= MOST_HELD ? `${MOST_HELD} differences or more` : counted(differences);
  const shown = differences.slice(0, MOST_SHOWN).map(({ message }) => `  ${message}`);
  const left = differences.length - shown.length;
  return [`${kind}: ${count}`, ...shown, ...(left > 0 ? [`  … and ${left} more.`] : [])];
}

function counted({ length }: readonly Difference[]): string {
  return length === 1 ? "1 difference" : `${length} differences`;
}
