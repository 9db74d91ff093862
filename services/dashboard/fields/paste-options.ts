import { MOST_OPTIONS } from "#libs/domain/field-definition.ts";

/**
 * The options with the lines of a pasted text from that position on, blank ones left out; the option there is replaced
 * if it is blank. Null for a text of one line, which is pasted as text always is.
 */
export function pasteOptions(options: readonly string[], at: number, text: string): string[] | null {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2) return null;
  const isBlank = (options[at] ?? "").trim() === "";
  return options.toSpliced(isBlank ? at : at + 1, isBlank ? 1 : 0, ...lines).slice(0, MOST_OPTIONS);
}
