/** The cells of each line of a CSV file, headings included. */
export function linesOf(text: string): string[][] {
  const cells = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n)/gy;
  const lines: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.replace("\uFEFF", "").matchAll(cells)) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\r\n") lines.push([]);
  }
  return lines.slice(0, -1);
}
