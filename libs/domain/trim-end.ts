/** The text without any of the characters at its end. One pass, where an expression such as `/\/+$/` may take many. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
