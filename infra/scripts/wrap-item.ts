/** The longest line of a generated page, in characters. */
const WIDTH = 128;

/** Breaks an item of a Markdown list between words, but in no code span. */
export function wrapItem(item: string): string {
  const lines: string[] = [];
  for (const word of item.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines.join("\n");
}
