/** Mail servers take no longer ones. */
export const LONGEST_EMAIL = 254;

/** Narrower than the standard: only the forms that addresses of people have. */
export const EMAIL =
  /^[A-Za-z0-9_+-]+([.'][A-Za-z0-9_+-]+)*@([A-Za-z0-9]+(-+[A-Za-z0-9]+)*\.)+[A-Za-z]{2,63}$/;

/** Whether the text is one email address and nothing else. */
export function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST_EMAIL && EMAIL.test(text);
}
