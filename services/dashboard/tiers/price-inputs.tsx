import { NativeSelect, Text, TextInput } from "@mantine/core";
import { INTERVALS } from "#libs/domain/period.ts";
import { amountExample } from "../components/amount-text.ts";
import { CurrencySelect } from "../components/currency-select.tsx";
import { priceWords } from "../components/format.ts";
import type { DraftErrors } from "../components/forms/use-draft.ts";
import { oneOf } from "../components/search.ts";
import { checkPrice, type PriceDraft } from "./price-draft.ts";
import classes from "./tiers.module.css";

interface PriceInputsProps {
  readonly price: PriceDraft;
  /** By the keys of the price. */
  readonly errors: DraftErrors;
  readonly onChange: (price: PriceDraft) => void;
}

/** The inputs of a new price: amount in whole units, currency, billing period. */
export function PriceInputs({ price, errors, onChange }: PriceInputsProps) {
  const checked = checkPrice(price);
  const isOne = price.intervalCount.trim() === "1";
  return (
    <div>
      <div className={classes.price}>
        <TextInput
          label="Amount"
          required
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
          required
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
            label: `${interval.toLowerCase()}${isOne ? "" : "s"}`,
          }))}
          value={price.interval}
          error={errors.interval}
          onChange={({ currentTarget }) => {
            const interval = oneOf(INTERVALS, currentTarget.value);
            if (interval !== null) onChange({ ...price, interval });
          }}
        />
      </div>
      <Text size="sm" c="dimmed" mt={6} aria-live="polite">
        {"input" in checked ? `Advertisers pay: ${priceWords(checked.input)}` : "Advertisers pay: –"}
      </Text>
    </div>
  );
}
