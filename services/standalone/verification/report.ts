import { type Difference, type Kind, MOST_HELD } from "./difference.ts";

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
