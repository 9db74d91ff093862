/**
 * Currencies whose amounts are not counted in hundredths, as payment processors count them. `Intl` cannot be asked: it
 * knows how many digits people write (none for Hungarian forints or Icelandic krónur, both billed in hundredths).
 */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...[
    "bif",
    "clp",
    "djf",
    "gnf",
    "jpy",
    "kmf",
    "krw",
    "mga",
    "pyg",
    "rwf",
    "vnd",
    "vuv",
    "xaf",
    "xof",
    "xpf",
  ].map((currency) => [currency, 0] as const),
  ...["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"].map((currency) => [currency, 3] as const),
]);

/** Digits after the point of an amount in a currency (ISO 4217, in lower case): 2 for `usd`, 0 for `jpy`, 3 for `kwd`. */
export function minorUnitDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}

/** An amount in the currency's smallest unit as people of that locale write it: 4900 `usd` is `$49.00`, 4900 `jpy` `¥4,900`.
 * Exact up to 70 trillion of the whole unit.
 */
export function formatMoney(amount: number, currency: string, locale: string): string {
  const digits = minorUnitDigits(currency);
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount / 10 ** digits);
}
