import { Select, type SelectProps } from "@mantine/core";
import { CURRENCIES } from "#libs/domain/money.ts";

interface CurrencySelectProps extends Omit<SelectProps, "value" | "onChange" | "data"> {
  /** ISO 4217, in lower case. */
  readonly value: string;
  readonly onChange: (currency: string) => void;
}

const SHOWN_AT_ONCE = 30;

/** Chooses a currency by its code or name. */
export function CurrencySelect({ value, onChange, ...look }: CurrencySelectProps) {
  return (
    <Select
      label="Currency"
      searchable
      allowDeselect={false}
      limit={SHOWN_AT_ONCE}
      nothingFoundMessage="No matching currency"
      {...look}
      data={CHOICES}
      value={value}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
    />
  );
}

const names = new Intl.DisplayNames("en-US", { type: "currency" });

/** The currencies that payments can be made in, for a select: `USD – US Dollar`. */
const CHOICES = CURRENCIES.map((currency) => ({ value: currency, label: labelOf(currency.toUpperCase()) }));

function labelOf(code: string): string {
  const name = names.of(code);
  return name === undefined || name === code ? code : `${code} – ${name}`;
}
