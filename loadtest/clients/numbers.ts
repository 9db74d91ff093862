import { LETTERS_OF_AN_ID } from "../seeds/seed-ids.ts";

/** Coprime to every count that is a power of ten, so that steps of it come to each number once before any twice. */
const STRIDE = 7_919;

/** The number that a turn asks for: all below `count`, each once before any twice, and no neighbours one after the other. */
export function numberOf(turn: number, { first, count }: { first: number; count: number }): number {
  return first + (((turn % count) * STRIDE) % count);
}

/** Puts the number, as ids have it, in the place of the `#`. */
export function numberedPath(path: string, number: number): string {
  return path.replace("#", String(number).padStart(LETTERS_OF_AN_ID, "0"));
}
