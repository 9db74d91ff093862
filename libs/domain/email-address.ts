/** The demo's publisher. Nothing is sent to addresses in `.invalid`, and nobody signs up with one. */
export const DEMO_EMAIL = "demo@publisher.invalid";

/** Mail servers take no longer ones. */
export const LONGEST_EMAIL = 254;

/** Narrower than the standard: only the forms that addresses of people have. */
export const EMAIL =
  /^[A-Za-z0-9_+-]+([.'][A-Za-z0-9_+-]+)*@([A-Za-z0-9]+(-+[A-Za-z0-9]+)*\.)+[A-Za-z]{2,63}$/;

const LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** As browsers take them in an input for email addresses (HTML standard), with a domain of two labels at least. */
export const MAIL_ADDRESS = new RegExp(`^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]+@(${LABEL}\\.)+${LABEL}$`);

/** The address in lower case, with a domain of any script as mail servers write it (`xn--`); null for other text. */
export function asMailAddress(text: string): string | null {
  if (text.length > LONGEST_EMAIL) return null;
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  const host = /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? URL.parse(`https://${domain}`)?.hostname : undefined;
  const ascii = /^[\x21-\x7e]+$/.test(domain) ? domain : host;
  const address = `${text.slice(0, at)}@${ascii ?? ""}`.toLowerCase();
  return address.length <= LONGEST_EMAIL && MAIL_ADDRESS.test(address) ? address : null;
}

/** Whether the text is one email address and nothing else. */
export function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST_EMAIL && EMAIL.test(text);
}
