import { Select, type SelectProps } from "@mantine/core";

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
      data={CURRENCIES}
      value={value}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
    />
  );
}

const names = new Intl.DisplayNames("en-US", { type: "currency" });

/** Every ISO currency that this browser knows, for a select: `USD – US Dollar`. */
const CURRENCIES = Intl.supportedValuesOf("currency").map((code) => ({
  value: code.toLowerCase(),
  label: labelOf(code),
}));

function labelOf(code: string): string {
  const name = names.of(code);
  return name === undefined || name === code ? code : `${code} – ${name}`;
}
