/** Mail servers take no longer ones. */
export const LONGEST_EMAIL = 254;

/** Narrower than the standard, which has forms that nobody's address has, and wide enough for those that people have. */
export const EMAIL =
  /^[A-Za-z0-9_+-]+([.'][A-Za-z0-9_+-]+)*@([A-Za-z0-9]+(-+[A-Za-z0-9]+)*\.)+[A-Za-z]{2,63}$/;

/** Whether the text is one e-mail address and nothing else. */
export function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST_EMAIL && EMAIL.test(text);
}
