import { largestAmount, minorUnitDigits } from "#libs/domain/money.ts";

/** The amount in the currency's smallest unit, or the problem of the text. */
type ReadAmount = { readonly amount: number } | { readonly problem: string };

const SPACES_AND_APOSTROPHES = /[\s'’]/g;
const PLAIN = /^(\d+)(?:\.(\d*))?$|^\.(\d+)$/;
/** `1,234` and `1.234.567`: groups of three with one separator. A single point never separates groups. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3}){2,})$/;
/** `1,234.50` and `1.234,50`: one separator for groups, the other for decimals. */
const GROUPED_WITH_DECIMALS = /^\d{1,3}(?:(?:,\d{3})+\.\d*|(?:\.\d{3})+,\d*)$/;

/** Reads `49`, `49.90` or `1,234.50` as the currency's smallest unit. Exact, since it never calculates with fractions. */
export function readAmount(text: string, currency: string): ReadAmount {
  const match = PLAIN.exec(toPlain(text.replace(SPACES_AND_APOSTROPHES, "")));
  if (match === null) {
    return { problem: text.trim() === "" ? "Enter an amount; 0 is free." : "Enter an amount, such as 49." };
  }
  const whole = match[1] ?? "0";
  const fraction = match[2] ?? match[3] ?? "";
  const digits = minorUnitDigits(currency);
  if (fraction.length > digits) return { problem: tooFine(currency, digits) };

  const amount = Number(whole + fraction.padEnd(digits, "0"));
  return amount <= largestAmount(currency) ? { amount } : { problem: "This amount is too large." };
}

/** The placeholder of an amount, which shows the currency's decimals. */
export function amountExample(currency: string): string {
  const digits = minorUnitDigits(currency);
  return digits === 0 ? "4900" : `49.${"0".repeat(digits)}`;
}

/** Removes group separators and puts a point before the decimals. */
function toPlain(text: string): string {
  if (GROUPED.test(text)) return text.replace(/[.,]/g, "");
  if (GROUPED_WITH_DECIMALS.test(text)) {
    const at = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
    return `${text.slice(0, at).replace(/[.,]/g, "")}.${text.slice(at + 1)}`;
  }
  return text.replace(",", ".");
}

function tooFine(currency: string, digits: number): string {
  const code = currency.toUpperCase();
  return digits === 0 ? `${code} has no decimals.` : `${code} has at most ${digits} decimals.`;
}
