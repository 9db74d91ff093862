const names = new Intl.DisplayNames("en-US", { type: "currency" });

/** Every ISO currency that this browser knows, for a select: `USD – US Dollar`. */
export const CURRENCIES = Intl.supportedValuesOf("currency").map((code) => ({
  value: code.toLowerCase(),
  label: labelOf(code),
}));

function labelOf(code: string): string {
  const name = names.of(code);
  return name === undefined || name === code ? code : `${code} – ${name}`;
}
