/** A stretch of text that both sides have, or only one of them. */
export interface Part {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** The comparison takes the product of both lengths. Longer texts are shown as replaced. */
const MOST_WORDS = 600;

/** Compares two texts word by word: the longest common subsequence stays, the rest is removed or added. */
export function compareWords(before: string, after: string): Part[] {
  const old = splitWords(before);
  const fresh = splitWords(after);
  if (old.length > MOST_WORDS || fresh.length > MOST_WORDS) return replaced(before, after);

  const common = commonLengths(old, fresh);
  const parts: Part[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    const [mine, theirs] = [old[i], fresh[j]];
    if (mine !== undefined && mine === theirs) {
      append(parts, "same", mine);
      i += 1;
      j += 1;
    } else if (mine !== undefined && (theirs === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      append(parts, "removed", mine);
      i += 1;
    } else if (theirs !== undefined) {
      append(parts, "added", theirs);
      j += 1;
    }
  }
  return parts;
}

/** `common[i][j]`: the length of the longest common subsequence from `i` and from `j` on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint16Array[] {
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = common[i];
    for (let j = fresh.length - 1; row !== undefined && j >= 0; j -= 1) {
      row[j] =
        old[i] === fresh[j]
          ? at(common, i + 1, j + 1) + 1
          : Math.max(at(common, i + 1, j), at(common, i, j + 1));
    }
  }
  return common;
}

function at(common: readonly Uint16Array[], i: number, j: number): number {
  return common[i]?.[j] ?? 0;
}

/** Words and the whitespace between them, so that nothing is lost. */
function splitWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu) ?? [];
}

function append(parts: Part[], kind: Part["kind"], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
  else parts.push({ kind, text });
}

function replaced(before: string, after: string): Part[] {
  if (before === after) return [{ kind: "same", text: before }];
  return [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
}
