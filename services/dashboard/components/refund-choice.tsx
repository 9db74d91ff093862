import { Checkbox, Text } from "@mantine/core";
import type { Offered } from "./use-refund-offer.ts";

interface RefundChoiceProps {
  readonly offer: Offered;
  /** What is about to be done: `Canceling`. */
  readonly act: string;
  readonly isRefunded: boolean;
  readonly onChange: (isRefunded: boolean) => void;
}

/** Offers the refund that goes with a decision. */
export function RefundChoice({ offer, act, isRefunded, onChange }: RefundChoiceProps) {
  if (offer == null) return null;
  if (offer === "away") {
    return (
      <Text size="sm">
        What can be refunded couldn’t be loaded. {act} now refunds nothing; you can refund the invoice later.
      </Text>
    );
  }
  return (
    <Checkbox
      label={offer.label}
      description={offer.description}
      checked={isRefunded}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
