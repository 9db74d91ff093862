import { Select } from "@mantine/core";
import { SUBSCRIPTION_FILTERS, type SubscriptionFilter } from "#libs/domain/subscription.ts";
import { SUBSCRIPTION_WORDS } from "./badges.tsx";

interface SubscriptionSelectProps {
  readonly value: SubscriptionFilter | undefined;
  /** Blank for any. */
  readonly onChange: (chosen: string | null) => void;
}

/** Narrows a list by the state of the subscriptions in it. */
export function SubscriptionSelect({ value, onChange }: SubscriptionSelectProps) {
  return (
    <Select
      aria-label="Subscription"
      allowDeselect={false}
      data={[
        { value: "", label: "Any subscription" },
        ...SUBSCRIPTION_FILTERS.map((one) => ({ value: one, label: SUBSCRIPTION_WORDS[one] })),
      ]}
      value={value ?? ""}
      onChange={onChange}
    />
  );
}
