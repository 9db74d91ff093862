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

/** The currencies that payment processors take (ISO 4217, in lower case). */
export const CURRENCIES: readonly string[] = `
  aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd btn bwp byn bzd
  cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel ghs gip gmd gnf gtq
  gyd hkd hnl htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl
  mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr
  pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd
  tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd xcg xof xpf yer zar zmw
`
  .trim()
  .split(/\s+/);

/** The largest price, in the smallest unit: eight digits. */
const MOST = 99_999_999;
/** Currencies with another largest price: a rupiah is worth little. */
const OTHER_MOST: ReadonlyMap<string, number> = new Map([["idr", 999_999_999_999]]);

/** The largest price that payment processors take in a currency, in its smallest unit. */
export function largestAmount(currency: string): number {
  return OTHER_MOST.get(currency) ?? MOST;
}

/**
 * The smallest charges that payment processors publish, in the smallest unit. Where no bank account of the seller has the currency, the
 * smallest charge is that of the account's currency, converted, which only the processor knows.
 */
const LEAST_CHARGES: ReadonlyMap<string, number> = new Map([
  ...["usd", "aud", "brl", "cad", "chf", "eur", "inr", "nzd", "sgd", "jpy"].map(
    (currency) => [currency, 50] as const,
  ),
  ["gbp", 30],
  ["bgn", 100],
  ...["aed", "myr", "pln", "ron"].map((currency) => [currency, 200] as const),
  ["dkk", 250],
  ...["nok", "sek"].map((currency) => [currency, 300] as const),
  ["hkd", 400],
  ...["mxn", "thb"].map((currency) => [currency, 1000] as const),
  ["czk", 1500],
  ["huf", 17_500],
]);

/** Counted in hundredths and charged in whole units only. */
const CHARGED_WHOLE: readonly string[] = ["isk", "ugx"];

/** The smallest charge above 0 in a currency, in its smallest unit. */
export function smallestCharge(currency: string): number {
  return Math.max(LEAST_CHARGES.get(currency) ?? 0, chargeStep(currency));
}

/** What charges and refunds in a currency are multiples of, in its smallest unit: 10 where it has three decimals, as the last one has to be 0. */
export function chargeStep(currency: string): 1 | 10 | 100 {
  if (CHARGED_WHOLE.includes(currency)) return 100;
  return minorUnitDigits(currency) === 3 ? 10 : 1;
}

/** Whether payment processors charge that amount; 0 is free. */
export function isChargeable(amount: number, currency: string): boolean {
  return amount === 0 || (amount >= smallestCharge(currency) && amount % chargeStep(currency) === 0);
}

/** An amount rounded down to one that payment processors move in that currency. */
export function wholeSteps(amount: number, currency: string): number {
  return amount - (amount % chargeStep(currency));
}

/** What a processor charges at most for an amount: rounded up to one that it moves in that currency. */
export function chargedFor(amount: number, currency: string): number {
  return wholeSteps(amount + chargeStep(currency) - 1, currency);
}

/** Digits after the point of an amount in a currency (ISO 4217, in lower case): 2 for `usd`, 0 for `jpy`, 3 for `kwd`. */
export function minorUnitDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}

/** An amount in the currency's smallest unit as people of that locale write it: 4900 `usd` is `$49.00`, 4900 `jpy` `¥4,900`.
 * Exact up to 70 trillion of the whole unit.
 */
export function formatMoney(amount: number, currency: string, locale: string): string {
  return formatOf(currency, locale).format(amount / 10 ** minorUnitDigits(currency));
}

/** The same without decimals that are all zero, as prices are written: 4900 `usd` is `$49`, 4950 `usd` `$49.50`. */
export function formatShortMoney(amount: number, currency: string, locale: string): string {
  const isWhole = amount % 10 ** minorUnitDigits(currency) === 0;
  return formatOf(currency, locale, isWhole ? 0 : undefined).format(amount / 10 ** minorUnitDigits(currency));
}

/** Making one takes ten times as long as using it. One for each currency, locale and number of decimals that was asked for. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, locale: string, digits = minorUnitDigits(currency)): Intl.NumberFormat {
  const name = `${currency} ${locale} ${digits}`;
  const known = FORMATS.get(name);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  FORMATS.set(name, format);
  return format;
}
