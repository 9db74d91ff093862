import { processEnvironment } from "#libs/config/environment.ts";
/** Random numbers that a seed repeats. */
export interface Random {
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/**
 * What is random in a run comes from `FAULTS_SEED`, or from a fresh seed. Each case draws from a sequence of its own, so
 * that one case alone repeats what it did among the others.
 */
export const seed = Number(processEnvironment().FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** The sequence of the case with that name. */
export function randomOf(name: string): Random {
  return createRandom(seed, name);
}

/** Mulberry32, begun from the seed and the name. */
export function createRandom(from: number, name: string): Random {
  let state = from;
  for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return { between, pick: (from) => from[between(0, from.length - 1)] ?? from[0] };
}
