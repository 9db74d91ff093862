/** The pattern of `ilike` for values that contain the text, with its special characters escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
