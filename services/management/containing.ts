/** The pattern of `ilike` for whatever has the text in it, which is taken as it is. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
