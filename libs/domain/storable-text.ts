/** No control characters but white space, no lone surrogates: JSON can carry both, a Postgres text neither. */
export function isStorable(text: string): boolean {
  return /^(?:[^\p{Cc}\p{Cs}]|\s)*$/u.test(text);
}

/** How many characters a person would count: code points, so that an emoji outside the basic plane is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
