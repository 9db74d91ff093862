import { Select, type SelectProps } from "@mantine/core";
import { CURRENCIES } from "./currencies.ts";

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
      nothingFoundMessage="No such currency"
      {...look}
      data={CURRENCIES}
      value={value}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
    />
  );
}
