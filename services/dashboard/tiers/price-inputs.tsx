import { NativeSelect, Text, TextInput } from "@mantine/core";
import { INTERVALS, type Interval } from "#libs/domain/period.ts";
import { priceWords } from "../ads/price-words.ts";
import type { DraftErrors } from "../editing/draft-errors.ts";
import { amountExample } from "./amount-text.ts";
import { CurrencySelect } from "./currency-select.tsx";
import { checkPrice, type PriceDraft } from "./price-draft.ts";
import classes from "./tiers.module.css";

interface PriceInputsProps {
  readonly price: PriceDraft;
  /** By the price's own keys. */
  readonly errors: DraftErrors;
  readonly onChange: (price: PriceDraft) => void;
}

const UNITS: Readonly<Record<Interval, string>> = {
  Day: "day",
  Week: "week",
  Month: "month",
  Year: "year",
};

/** The inputs of a new price: the amount in whole units, its currency, how often it is billed. */
export function PriceInputs({ price, errors, onChange }: PriceInputsProps) {
  const checked = checkPrice(price);
  const isOne = price.intervalCount.trim() === "1";
  return (
    <div>
      <div className={classes.price}>
        <TextInput
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          placeholder={amountExample(price.currency)}
          value={price.amount}
          error={errors.amount}
          onChange={({ currentTarget }) => onChange({ ...price, amount: currentTarget.value })}
        />
        <CurrencySelect
          value={price.currency}
          error={errors.currency}
          onChange={(currency) => onChange({ ...price, currency })}
        />
        <TextInput
          label="Every"
          inputMode="numeric"
          autoComplete="off"
          value={price.intervalCount}
          error={errors.intervalCount}
          onChange={({ currentTarget }) => onChange({ ...price, intervalCount: currentTarget.value })}
        />
        <NativeSelect
          label="Period"
          data={INTERVALS.map((interval) => ({
            value: interval,
            label: isOne ? UNITS[interval] : `${UNITS[interval]}s`,
          }))}
          value={price.interval}
          error={errors.interval}
          onChange={({ currentTarget }) => {
            const interval = INTERVALS.find((one) => one === currentTarget.value);
            if (interval !== undefined) onChange({ ...price, interval });
          }}
        />
      </div>
      <Text size="sm" c="dimmed" mt={6} aria-live="polite">
        {"input" in checked ? `Advertisers pay: ${priceWords(checked.input)}` : "Advertisers pay: –"}
      </Text>
    </div>
  );
}
